package dev.berth.rest.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The audit in PostgreSQL. The database numbers and chains the rows, and lets the application only
 * add to them. Every method that records throws Spring's {@code DataAccessException} or {@code
 * TransactionException} when the row is not stored.
 */
public final class AuditLog {
    private static final String INSERT = """
            INSERT INTO audit (chain, actor, scope, action, user_id, outcome, detail, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String COLUMNS = "SELECT chain, number, at, actor, scope, action, user_id, outcome, detail,"
            + " request_id, previous_hash, hash FROM audit";

    private static final String OLDER =
            "(at, chain, number) < (SELECT at, chain, number FROM audit WHERE chain = ? AND number = ?)";

    private static final String CHANGEABLE = "SELECT has_table_privilege('audit', 'UPDATE, DELETE, TRUNCATE')";

    /** Rows of one read of a check: each statement must end within the pool's time limit. */
    private static final int BATCH = 5_000;

    /**
     * Entries of users that are written at once: under half of the pool's ten connections, since
     * those that wait for the lock of their chain hold one each, and operators need one too.
     */
    private static final int USERS_AT_ONCE = 4;

    /** As long as a statement may wait for a lock. */
    private static final Duration TURN = Duration.ofSeconds(1);

    private final JdbcTemplate postgres;
    private final TransactionTemplate transactions;
    private final Semaphore users = new Semaphore(USERS_AT_ONCE, true);

    public AuditLog(JdbcTemplate postgres, TransactionTemplate transactions) {
        this.postgres = postgres;
        this.transactions = transactions;
    }

    /**
     * Makes a change and records it, in one transaction: either both are stored, or neither.
     *
     * @param change writes to PostgreSQL, by statements that join the transaction
     * @return what the change returned
     * @throws CannotAcquireLockException when a user's entry finds too many others under way for a
     *     second; nothing was changed
     */
    public <T> T change(AuditEntry entry, Supplier<T> change) {
        boolean isUsers = entry.chain() == AuditChain.USERS;
        if (isUsers) {
            awaitTurn();
        }
        try {
            return Objects.requireNonNull(transactions.execute(_ -> {
                T result = change.get();
                // Last, since the rows of all others of the chain wait from here until the commit.
                postgres.update(INSERT, values(entry, AuditOutcome.DONE));
                return result;
            }));
        } finally {
            if (isUsers) {
                users.release();
            }
        }
    }

    private void awaitTurn() {
        boolean isOwn = false;
        try {
            isOwn = users.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        if (!isOwn) {
            throw new CannotAcquireLockException("too many users change credentials or webhooks at once");
        }
    }

    /** Records what is about to be done. Call it first, and do nothing when it fails. */
    public void request(AuditEntry entry) {
        request(List.of(entry));
    }

    /** Records all entries or none. One batch, since all other writers wait for its end. */
    public void request(List<AuditEntry> entries) {
        List<@Nullable Object[]> rows = entries.stream()
                .map(entry -> values(entry, AuditOutcome.REQUESTED))
                .toList();
        transactions.executeWithoutResult(_ -> postgres.batchUpdate(INSERT, rows));
    }

    private static @Nullable Object[] values(AuditEntry entry, AuditOutcome outcome) {
        return new @Nullable Object[] {
            entry.chain().name(),
            entry.actor().subject(),
            entry.actor().scope(),
            entry.action().name(),
            entry.userId() == null ? null : entry.userId().value(),
            outcome.name(),
            entry.detail(),
            entry.actor().requestId()
        };
    }

    /**
     * Whether this login may change or remove rows. Then the audit proves nothing against this
     * process: it should log in as {@code berth_api}.
     */
    public boolean isChangeable() {
        return Boolean.TRUE.equals(postgres.queryForObject(CHANGEABLE, Boolean.class));
    }

    /** A page of rows, newest first. */
    public List<AuditRow> search(AuditQuery query) {
        List<String> conditions = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        restrict(
                conditions,
                values,
                "user_id = ?",
                query.userId() == null ? null : query.userId().value());
        restrict(conditions, values, "actor = ?", query.actor());
        restrict(
                conditions,
                values,
                "action = ?",
                query.action() == null ? null : query.action().name());
        if (query.after() != null) {
            conditions.add(OLDER);
            values.add(query.after().chain());
            values.add(query.after().number());
        }
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        values.add(query.limit());
        return postgres.query(
                COLUMNS + where + " ORDER BY at DESC, chain DESC, number DESC LIMIT ?", AuditRow::of, values.toArray());
    }

    private static void restrict(
            List<String> conditions, List<Object> values, String condition, @Nullable Object value) {
        if (value != null) {
            conditions.add(condition);
            values.add(value);
        }
    }

    /**
     * Reads the whole audit and checks its chains. Rows that are added meanwhile may be included.
     *
     * @param expected the heads at an earlier time, which were kept elsewhere; null for none. Only
     *     this finds rows that are missing at the end
     */
    public AuditVerification verify(@Nullable AuditHeads expected) {
        AuditChainCheck operators = verify(AuditChain.OPERATORS, expected);
        AuditChainCheck users = verify(AuditChain.USERS, expected);
        AuditFault fault = Stream.of(operators.fault(), users.fault(), inNoChain())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return new AuditVerification(
                operators.rows() + users.rows(), new AuditHeads(operators.head(), users.head()), fault);
    }

    private AuditChainCheck verify(AuditChain chain, @Nullable AuditHeads expected) {
        AuditChainCheck check = new AuditChainCheck(chain, expected == null ? null : expected.of(chain));
        List<AuditRow> rows = batchAfter(chain, Long.MIN_VALUE);
        while (check.follow(rows) && rows.size() == BATCH) {
            rows = batchAfter(chain, rows.getLast().number());
        }
        return check;
    }

    private List<AuditRow> batchAfter(AuditChain chain, long number) {
        return postgres.query(
                COLUMNS + " WHERE chain = ? AND number > ? ORDER BY number LIMIT ?",
                AuditRow::of,
                chain.name(),
                number,
                BATCH);
    }

    /** A row of another chain would be shown, and never checked. */
    private @Nullable AuditFault inNoChain() {
        return postgres.query(COLUMNS + " WHERE chain NOT IN ('OPERATORS', 'USERS') LIMIT 1", AuditRow::of).stream()
                .map(row -> new AuditFault.Changed(row.position()))
                .findFirst()
                .orElse(null);
    }
}
