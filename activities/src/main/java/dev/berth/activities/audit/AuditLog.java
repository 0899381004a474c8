package dev.berth.activities.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The audit in PostgreSQL. The database numbers and chains the rows, and lets the application only
 * add to them. Every method that records throws Spring's {@code DataAccessException} or {@code
 * TransactionException} when the row is not stored.
 */
public final class AuditLog {
    private static final String INSERT = """
            INSERT INTO audit (actor, scope, action, user_id, outcome, detail, request_id) VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String COLUMNS = "SELECT number, at, actor, scope, action, user_id, outcome, detail,"
            + " request_id, previous_hash, hash FROM audit";

    private static final String CHANGEABLE = "SELECT has_table_privilege('audit', 'UPDATE, DELETE, TRUNCATE')";

    /** Rows of one read of a check: each statement must end within the pool's time limit. */
    private static final int BATCH = 5_000;

    private final JdbcTemplate postgres;
    private final TransactionTemplate transactions;

    public AuditLog(JdbcTemplate postgres, TransactionTemplate transactions) {
        this.postgres = postgres;
        this.transactions = transactions;
    }

    /**
     * Makes a change and records it, in one transaction: either both are stored, or neither.
     *
     * @param change writes to PostgreSQL, by statements that join the transaction
     * @return what the change returned
     */
    public <T> T change(AuditEntry entry, Supplier<T> change) {
        return Objects.requireNonNull(transactions.execute(_ -> {
            T result = change.get();
            // Last, since the rows of all others wait from here until the commit.
            postgres.update(INSERT, values(entry, AuditOutcome.DONE));
            return result;
        }));
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
        restrict(conditions, values, "number < ?", query.after());
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        values.add(query.limit());
        return postgres.query(COLUMNS + where + " ORDER BY number DESC LIMIT ?", AuditRow::of, values.toArray());
    }

    private static void restrict(
            List<String> conditions, List<Object> values, String condition, @Nullable Object value) {
        if (value != null) {
            conditions.add(condition);
            values.add(value);
        }
    }

    /**
     * Reads the whole audit and checks its chain. Rows that are added meanwhile may be included.
     *
     * @param expectedHead the hash of the last row at an earlier time, which was kept elsewhere;
     *     null for none. Only this finds rows that are missing at the end
     */
    public AuditVerification verify(@Nullable String expectedHead) {
        AuditChain chain = new AuditChain(expectedHead);
        List<AuditRow> rows = batchAfter(Long.MIN_VALUE);
        while (chain.follow(rows) && rows.size() == BATCH) {
            rows = batchAfter(rows.getLast().number());
        }
        return chain.result();
    }

    private List<AuditRow> batchAfter(long number) {
        return postgres.query(COLUMNS + " WHERE number > ? ORDER BY number LIMIT ?", AuditRow::of, number, BATCH);
    }
}
