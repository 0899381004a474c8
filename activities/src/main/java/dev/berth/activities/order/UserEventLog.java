package dev.berth.activities.order;

import dev.berth.activities.order.UserEvent.AccountEvent;
import dev.berth.activities.order.UserEvent.FillEvent;
import dev.berth.activities.order.UserEvent.OrderEvent;
import dev.berth.activities.order.UserEvent.WorkerEvent;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Everything that happened to a user's orders, worker and accounts, in one order. A reader that
 * has seen a position has seen every lower one that will ever exist.
 */
public final class UserEventLog {
    private static final String AFTER = """
            SELECT * FROM (
              (SELECT position, 'order' AS type, client_order_id AS name, state::text AS content, NULL AS execution_id,
                  NULL::int AS order_version, NULL::numeric AS quantity, NULL::numeric AS price, at, NULL::boolean AS busted,
                  NULL::numeric AS fee, NULL AS fee_currency
                FROM order_events WHERE user_id = ? AND position > ? ORDER BY position LIMIT ?)
              UNION ALL
              (SELECT position, 'fill', client_order_id, NULL, execution_id, order_version, quantity, price, at, busted,
                  fee, fee_currency
                FROM fills WHERE user_id = ? AND position > ? ORDER BY position LIMIT ?)
              UNION ALL
              (SELECT position, 'worker', NULL, worker::text, NULL, NULL, NULL, NULL, at, NULL, NULL, NULL
                FROM worker_events WHERE user_id = ? AND position > ? ORDER BY position LIMIT ?)
              UNION ALL
              (SELECT position, part, account, content::text, NULL, NULL, NULL, NULL, as_of, NULL, NULL, NULL
                FROM account_parts WHERE user_id = ? AND position > ? ORDER BY position LIMIT ?)
            ) events ORDER BY position LIMIT ?
            """;

    /** Two replicas that see the same change add it once. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('worker_events ' || ?, 0))";

    private static final String ADD_WORKER = """
            INSERT INTO worker_events (user_id, position, at, worker)
            SELECT ?, 0, ?, ?::jsonb WHERE NOT EXISTS (
              SELECT FROM (SELECT worker FROM worker_events WHERE user_id = ? ORDER BY position DESC LIMIT 1) last
              WHERE last.worker = ?::jsonb)
            """;

    private final JdbcTemplate postgres;
    private final TransactionTemplate transactions;

    public UserEventLog(JdbcTemplate postgres, TransactionTemplate transactions) {
        this.postgres = postgres;
        this.transactions = transactions;
    }

    /** What comes behind a position, oldest first. */
    public List<UserEvent> after(UserId userId, long position, int limit) {
        String user = userId.value();
        return postgres.query(
                AFTER,
                (row, _) -> event(row),
                user,
                position,
                limit,
                user,
                position,
                limit,
                user,
                position,
                limit,
                user,
                position,
                limit,
                limit);
    }

    private static UserEvent event(ResultSet row) throws SQLException {
        long position = row.getLong("position");
        Instant at = row.getTimestamp("at").toInstant();
        return switch (row.getString("type")) {
            case "order" -> new OrderEvent(position, Json.read(row.getString("content"), OrderState.class));
            case "worker" -> new WorkerEvent(position, at, row.getString("content"));
            case "fill" -> new FillEvent(position, new ClientOrderId(row.getString("name")), StoredExecution.of(row));
            case String part ->
                new AccountEvent(position, at, AccountKey.parse(row.getString("name")), part, row.getString("content"));
        };
    }

    /** The highest position of each user; those without any are left out. */
    public Map<UserId, Long> last(Collection<UserId> users) {
        Map<UserId, Long> positions = new HashMap<>();
        postgres.query(
                "SELECT user_id, position FROM stream_positions WHERE user_id = ANY (?)",
                row -> {
                    positions.put(new UserId(row.getString("user_id")), row.getLong("position"));
                },
                (Object) users.stream().map(UserId::value).toArray(String[]::new));
        return positions;
    }

    /** The highest position of a user; 0 without any. */
    public long last(UserId userId) {
        return last(List.of(userId)).getOrDefault(userId, 0L);
    }

    /**
     * Adds what was seen of a worker, if it differs from what was added last.
     *
     * @param worker JSON
     * @return whether it was added
     */
    public boolean addWorker(UserId userId, Instant at, String worker) {
        String user = userId.value();
        return Boolean.TRUE.equals(transactions.execute(_ -> {
            postgres.query(LOCK, _ -> {}, user);
            return postgres.update(ADD_WORKER, user, Timestamp.from(at), worker, user, worker) > 0;
        }));
    }
}
