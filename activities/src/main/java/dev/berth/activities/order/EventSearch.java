package dev.berth.activities.order;

import dev.berth.activities.order.EventQuery.Position;
import dev.berth.workflows.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Searches the events of all users. Orders that left for the archive are not among them. */
public final class EventSearch {
    private static final String ORDERS = """
            SELECT at, user_id, position,
                CASE state ->> 'status'
                  WHEN 'PENDING' THEN CASE WHEN state ->> 'reason' IS NOT NULL THEN 'DECLINED'
                    WHEN (state ->> 'attempts')::int > 1 THEN 'RETRY' ELSE 'QUEUED' END
                  WHEN 'DISPATCHED' THEN 'PROCESSING'
                  WHEN 'UNKNOWN' THEN 'UNKNOWN'
                  WHEN 'NEW' THEN 'WORKING' WHEN 'PARTIALLY_FILLED' THEN 'WORKING'
                  WHEN 'PENDING_CANCEL' THEN 'CHANGING' WHEN 'PENDING_REPLACE' THEN 'CHANGING'
                  WHEN 'FAILED' THEN 'FAILED' WHEN 'REJECTED' THEN 'FAILED'
                  ELSE 'COMPLETED' END AS kind,
                client_order_id, state -> 'request' ->> 'symbol' AS symbol, state ->> 'status' AS state,
                state ->> 'reason' AS reason, (state ->> 'attempts')::int AS attempts,
                (state ->> 'workerEpoch')::bigint AS epoch,
                concat_ws(' ', state ->> 'reason', state ->> 'venueStatus', state ->> 'venueOrderId') AS searched
              FROM order_events
            """;

    private static final String WORKERS = """
            SELECT at, user_id, position, 'WORKER' AS kind, NULL AS client_order_id, NULL AS symbol,
                worker ->> 'state' AS state, worker ->> 'reason' AS reason, NULL::int AS attempts,
                (worker ->> 'epoch')::bigint AS epoch, coalesce(worker ->> 'reason', '') AS searched
              FROM worker_events
            """;

    private static final String NEWEST_FIRST = " ORDER BY at DESC, user_id DESC, position DESC LIMIT ?";

    private final JdbcTemplate postgres;

    public EventSearch(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    /**
     * An event.
     *
     * @param clientOrderId null for a worker's
     * @param state the status of the order, or the state of the worker
     * @param attempts how often the order was handed to a worker
     * @param epoch of the worker
     */
    public record FoundEvent(
            Position position,
            EventKind kind,
            @Nullable String clientOrderId,
            @Nullable String symbol,
            String state,
            @Nullable String reason,
            @Nullable Integer attempts,
            @Nullable Long epoch) {}

    /** A page of events. */
    public List<FoundEvent> search(EventQuery query) {
        List<Object> values = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        if (query.hasOrders()) {
            parts.add(page(ORDERS, query, values));
        }
        if (query.hasWorkers()) {
            parts.add(page(WORKERS, query, values));
        }
        values.add(query.limit());
        String sql = "SELECT * FROM (" + String.join(" UNION ALL ", parts) + ") events" + NEWEST_FIRST;
        return postgres.query(sql, (row, _) -> event(row), values.toArray());
    }

    /** What is asked for of one table: a page of each is enough for a page of both. */
    private static String page(String table, EventQuery query, List<Object> values) {
        StringBuilder sql = new StringBuilder("(SELECT * FROM (" + table + ") events WHERE true");
        Condition condition = (text, value) -> {
            if (value != null) {
                sql.append(" AND ").append(text);
                values.add(value);
            }
        };
        condition.add(
                "user_id = ?", query.userId() == null ? null : query.userId().value());
        condition.add(
                "client_order_id = ?",
                query.clientOrderId() == null ? null : query.clientOrderId().value());
        condition.add("symbol = ?", query.symbol());
        condition.add("kind = ?", query.kind() == null ? null : query.kind().name());
        condition.add(
                "position(? IN lower(searched)) > 0",
                query.text() == null ? null : query.text().toLowerCase(Locale.ROOT));
        condition.add("at >= ?", query.from() == null ? null : Timestamp.from(query.from()));
        condition.add("at < ?", query.to() == null ? null : Timestamp.from(query.to()));
        Position after = query.after();
        if (after != null) {
            sql.append(" AND (at, user_id, position) < (?, ?, ?)");
            values.add(Timestamp.from(after.at()));
            values.add(after.userId().value());
            values.add(after.position());
        }
        values.add(query.limit());
        return sql.append(NEWEST_FIRST).append(')').toString();
    }

    /** Adds a condition unless its value is null. */
    private interface Condition {
        void add(String sql, @Nullable Object value);
    }

    private static FoundEvent event(ResultSet row) throws SQLException {
        Instant at = row.getTimestamp("at").toInstant();
        return new FoundEvent(
                new Position(at, new UserId(row.getString("user_id")), row.getLong("position")),
                EventKind.valueOf(row.getString("kind")),
                row.getString("client_order_id"),
                row.getString("symbol"),
                row.getString("state"),
                row.getString("reason"),
                row.getObject("attempts", Integer.class),
                row.getObject("epoch", Long.class));
    }
}
