package dev.berth.gateway;

import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest;
import dev.berth.workflows.Json;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Journals of FIX sessions in PostgreSQL. Every statement contains the user and the epoch that
 * write, and is one transaction. What a worker can store is bounded.
 */
public final class FixJournals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FixJournals.class);

    /** Accounts of one user that have a journal. */
    static final int SESSIONS_OF_USER = 20;
    /** The newest messages, executions and working orders of an account that stay. */
    static final int KEPT = 10_000;

    /** One call in so many drops what is older; a worker cannot tell which. */
    private static final int PRUNED_IN = 64;

    private static final String OPEN = """
            INSERT INTO fix_sessions (user_id, account, epoch, created_at)
              SELECT ?, ?, ?, now()
              WHERE (SELECT count(*) FROM fix_sessions WHERE user_id = ? AND account <> ?) < ?
            ON CONFLICT (user_id, account) DO UPDATE SET epoch = excluded.epoch
              WHERE fix_sessions.epoch <= excluded.epoch
            RETURNING next_sender, next_target
            """;

    private static final String APPEND = """
            WITH session AS (
              UPDATE fix_sessions SET next_sender = next_sender + 1
              WHERE user_id = ? AND account = ? AND epoch = ? AND next_sender = ?
              RETURNING user_id, account, next_sender - 1 AS number
            ), stored AS (
              INSERT INTO fix_messages (user_id, account, number, text, at)
              SELECT user_id, account, number, message, now()
              FROM session, (VALUES (?::text)) given (message) WHERE message IS NOT NULL
            )
            SELECT count(*) FROM session
            """;

    /** Of several changes of an order, or of an execution, the last one stays. */
    private static final String RECEIVED = """
            WITH session AS (
              UPDATE fix_sessions SET next_target = greatest(next_target, ?)
              WHERE user_id = ? AND account = ? AND epoch = ?
              RETURNING user_id, account
            ), change AS (
              SELECT user_id, account, nth, said ->> 'clientOrderId' AS id, said
              FROM session, jsonb_array_elements(?::jsonb) WITH ORDINALITY given (said, nth)
            ), execution AS (
              INSERT INTO fix_executions (user_id, account, client_order_id, execution_id, content, at)
              SELECT DISTINCT ON (id, content ->> 'executionId')
                user_id, account, id, content ->> 'executionId', content, now()
              FROM change, jsonb_array_elements(said -> 'executions') WITH ORDINALITY executed (content, inner_nth)
              ORDER BY id, content ->> 'executionId', nth DESC, inner_nth DESC
              ON CONFLICT (user_id, account, client_order_id, execution_id) DO UPDATE SET content = excluded.content
            ), newest AS (
              SELECT DISTINCT ON (id) user_id, account, id, (said -> 'working')::boolean AS works
              FROM change ORDER BY id, nth DESC
            ), ended AS (
              DELETE FROM fix_orders former USING newest
              WHERE former.user_id = newest.user_id AND former.account = newest.account
                AND former.client_order_id = newest.id AND NOT works
            ), begun AS (
              INSERT INTO fix_orders (user_id, account, client_order_id)
              SELECT user_id, account, id FROM newest
              WHERE works AND (SELECT count(*) FROM fix_orders other
                WHERE other.user_id = newest.user_id AND other.account = newest.account) < ?
              ON CONFLICT DO NOTHING
            )
            SELECT count(*) FROM session
            """;

    private static final String RESET = """
            UPDATE fix_sessions SET next_sender = 1, next_target = 1, created_at = now()
            WHERE user_id = ? AND account = ? AND epoch = ?
            """;

    /** Messages show what was sent; for two days, so that they are no archive of orders. */
    private static final String PRUNE_MESSAGES = """
            DELETE FROM fix_messages WHERE user_id = ? AND account = ? AND (at < now() - interval '2 days' OR serial <= (
              SELECT serial FROM fix_messages WHERE user_id = ? AND account = ? ORDER BY serial DESC OFFSET ? LIMIT 1))
            """;

    private static final String PRUNE_EXECUTIONS = """
            DELETE FROM fix_executions WHERE user_id = ? AND account = ? AND at < (
              SELECT at FROM fix_executions WHERE user_id = ? AND account = ? ORDER BY at DESC OFFSET ? LIMIT 1)
            """;

    private static final String OF_ACCOUNT = " WHERE user_id = ? AND account = ?";
    private static final String EPOCH = "SELECT epoch FROM fix_sessions" + OF_ACCOUNT;
    private static final String NEXT_SENDER = "SELECT next_sender FROM fix_sessions" + OF_ACCOUNT + " AND epoch = ?";
    private static final String EXECUTIONS =
            "SELECT content FROM fix_executions" + OF_ACCOUNT + " AND client_order_id = ? ORDER BY at LIMIT ?";
    private static final String WORKING = "SELECT client_order_id FROM fix_orders" + OF_ACCOUNT + " ORDER BY 1 LIMIT ?";

    /** Executions of an order that an answer has room for. */
    private static final int MOST_EXECUTIONS = 5_000;

    private final DataSource connections;
    private final JdbcTemplate postgres;

    /**
     * Keeps them in the tables {@code fix_…}.
     *
     * @param connections with time-outs below those of a worker's call; closed with this, if it can
     *     be
     */
    public FixJournals(DataSource connections) {
        this.connections = connections;
        this.postgres = new JdbcTemplate(connections);
    }

    /** In the same database. */
    OrderIntents intents() {
        return new OrderIntents(postgres);
    }

    /** Empty when a later epoch has the journal, or the user has too many. */
    List<FixNumbers> open(Assignment worker, AccountKey account) {
        String user = worker.userId().value();
        String key = account.toString();
        List<FixNumbers> opened = postgres.query(
                OPEN,
                (row, _) -> new FixNumbers(row.getInt("next_sender"), row.getInt("next_target")),
                user,
                key,
                worker.epoch(),
                user,
                key,
                SESSIONS_OF_USER);
        prune(user, key);
        return opened;
    }

    /** False when another epoch has the journal, or the number is not the next one. */
    boolean append(Assignment worker, AppendFixMessageRequest message) {
        String user = worker.userId().value();
        String key = message.account().toString();
        boolean done = isOne(postgres.queryForObject(
                APPEND, Integer.class, user, key, worker.epoch(), message.number(), message.text()));
        pruneSometimes(user, key);
        return done;
    }

    /** False when another epoch has the journal. */
    boolean received(Assignment worker, FixReceivedRequest request) {
        String user = worker.userId().value();
        String key = request.account().toString();
        boolean done = isOne(postgres.queryForObject(
                RECEIVED,
                Integer.class,
                request.nextTarget(),
                user,
                key,
                worker.epoch(),
                Json.write(request.changes()),
                KEPT));
        pruneSometimes(user, key);
        return done;
    }

    /** False when another epoch has the journal. */
    boolean reset(Assignment worker, AccountKey account) {
        return postgres.update(RESET, worker.userId().value(), account.toString(), worker.epoch()) == 1;
    }

    /** The epoch that has the journal; empty when none was opened. */
    OptionalLong epoch(Assignment worker, AccountKey account) {
        return postgres.queryForList(EPOCH, Long.class, worker.userId().value(), account.toString()).stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /** Empty when another epoch has the journal. */
    OptionalInt nextSender(Assignment worker, AccountKey account) {
        return postgres
                .queryForList(NEXT_SENDER, Integer.class, worker.userId().value(), account.toString(), worker.epoch())
                .stream()
                .mapToInt(Integer::intValue)
                .findFirst();
    }

    List<Execution> executions(Assignment worker, AccountKey account, String clientOrderId) {
        return postgres
                .queryForList(
                        EXECUTIONS,
                        String.class,
                        worker.userId().value(),
                        account.toString(),
                        clientOrderId,
                        MOST_EXECUTIONS)
                .stream()
                .map(json -> Json.read(json, Execution.class))
                .toList();
    }

    List<String> working(Assignment worker, AccountKey account) {
        return postgres.queryForList(WORKING, String.class, worker.userId().value(), account.toString(), KEPT);
    }

    private void pruneSometimes(String user, String account) {
        if (ThreadLocalRandom.current().nextInt(PRUNED_IN) == 0) {
            prune(user, account);
        }
    }

    private void prune(String user, String account) {
        postgres.update(PRUNE_MESSAGES, user, account, user, account, KEPT);
        postgres.update(PRUNE_EXECUTIONS, user, account, user, account, KEPT);
    }

    private static boolean isOne(@Nullable Integer count) {
        return count != null && count == 1;
    }

    @Override
    public void close() {
        if (connections instanceof AutoCloseable pool) {
            try {
                pool.close();
            } catch (Exception closed) {
                LOG.warn("the connections to PostgreSQL did not close: {}", closed.getMessage());
            }
        }
    }
}
