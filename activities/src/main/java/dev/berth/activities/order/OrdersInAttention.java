package dev.berth.activities.order;

import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Orders that wait for a person: what failed for good, and what the venue told after an order was
 * over.
 */
public final class OrdersInAttention {
    /** Older orders need no attention; the search still finds them. */
    public static final Duration KEPT = Duration.ofDays(14);

    private static final String IN_ATTENTION = "attention_since > now() - make_interval(days => " + KEPT.toDays() + ")";

    /** Those with time left come first: what has expired stays, and must not stand before them. */
    private static final String FAILED = "SELECT state FROM orders WHERE " + IN_ATTENTION + """
             AND status = 'FAILED'
            ORDER BY submitted_at + (state -> 'request' ->> 'dispatchWithin')::interval > now() DESC,
              attention_since DESC, user_id DESC, client_order_id DESC
            LIMIT ?
            """;

    private final JdbcTemplate postgres;

    public OrdersInAttention(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /** An order, and since when it waits. */
    public record Waiting(OrderState order, Instant since) {
        public Position position() {
            return new Position(since, order.request().userId(), order.request().clientOrderId());
        }
    }

    /** Since when an order in this state waits for a person; null when it does not. */
    static @Nullable Instant since(OrderState order) {
        boolean waits = order.status() == OrderStatus.FAILED || FailureCode.needsAttention(order.reason());
        return waits ? order.changedAt() : null;
    }

    /**
     * A page of them, newest first.
     *
     * @param userId whose; null for everybody's
     * @param after the last one of the page before; null for the first page
     */
    public List<Waiting> page(@Nullable UserId userId, int limit, @Nullable Position after) {
        StringBuilder sql = new StringBuilder("SELECT state, attention_since FROM orders WHERE " + IN_ATTENTION);
        List<Object> values = new ArrayList<>();
        if (userId != null) {
            sql.append(" AND user_id = ?");
            values.add(userId.value());
        }
        if (after != null) {
            sql.append(" AND (attention_since, user_id, client_order_id) < (?, ?, ?)");
            Collections.addAll(
                    values,
                    Timestamp.from(after.at()),
                    after.userId().value(),
                    after.clientOrderId().value());
        }
        sql.append(" ORDER BY attention_since DESC, user_id DESC, client_order_id DESC LIMIT ?");
        values.add(limit);
        return postgres.query(
                sql.toString(),
                (row, _) -> new Waiting(
                        Json.read(row.getString("state"), OrderState.class),
                        row.getTimestamp("attention_since").toInstant()),
                values.toArray());
    }

    /** Those that never reached the venue, the ones with time left first. */
    public List<OrderState> failed(int limit) {
        return postgres.queryForList(FAILED, String.class, limit).stream()
                .map(json -> Json.read(json, OrderState.class))
                .toList();
    }

    /** How many there are. */
    public long count() {
        return Objects.requireNonNull(
                postgres.queryForObject("SELECT count(*) FROM orders WHERE " + IN_ATTENTION, Long.class));
    }
}
