package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A page of orders, newest first.
 *
 * @param userId whose; null for everybody's
 * @param statuses those that count; empty for all
 * @param since submitted then or later
 * @param until submitted earlier than that
 * @param limit of orders, at least 1
 * @param after the last order of the page before; null for the first page
 */
public record OrderQuery(
        @Nullable UserId userId,
        Set<OrderStatus> statuses,
        @Nullable String symbol,
        @Nullable Instant since,
        @Nullable Instant until,
        int limit,
        @Nullable Position after) {

    public OrderQuery {
        statuses = Set.copyOf(statuses);
    }

    /** The same question about orders of these states. */
    public OrderQuery withStatuses(Set<OrderStatus> others) {
        return new OrderQuery(userId, others, symbol, since, until, limit, after);
    }

    /** A place among orders, newest first. It stays valid while orders are added. */
    public record Position(Instant at, UserId userId, ClientOrderId clientOrderId) {
        /** Where this order stands. */
        public static Position of(OrderState order) {
            return new Position(
                    order.request().submittedAt(),
                    order.request().userId(),
                    order.request().clientOrderId());
        }
    }

    /** SQL, and the values of its question marks. */
    record Sql(String text, List<Object> values) {}

    /**
     * The order of the columns is that of an index, so that a page costs the same wherever it
     * begins.
     */
    Sql sql() {
        StringBuilder text = new StringBuilder("SELECT state FROM orders WHERE true");
        List<Object> values = new ArrayList<>();
        if (userId != null) {
            text.append(" AND user_id = ?");
            values.add(userId.value());
        }
        if (!statuses.isEmpty()) {
            text.append(" AND status IN (")
                    .append(String.join(", ", Collections.nCopies(statuses.size(), "?")))
                    .append(")");
            statuses.forEach(status -> values.add(status.name()));
        }
        if (symbol != null) {
            text.append(" AND symbol = ?");
            values.add(symbol);
        }
        if (since != null) {
            text.append(" AND submitted_at >= ?");
            values.add(Timestamp.from(since));
        }
        if (until != null) {
            text.append(" AND submitted_at < ?");
            values.add(Timestamp.from(until));
        }
        if (after != null) {
            text.append(" AND (submitted_at, user_id, client_order_id) < (?, ?, ?)");
            Collections.addAll(
                    values,
                    Timestamp.from(after.at()),
                    after.userId().value(),
                    after.clientOrderId().value());
        }
        text.append(" ORDER BY submitted_at DESC, user_id DESC, client_order_id DESC LIMIT ?");
        values.add(limit);
        return new Sql(text.toString(), List.copyOf(values));
    }
}
