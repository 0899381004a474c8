package dev.berth.activities.risk;

import dev.berth.workflows.UserId;
import dev.berth.workflows.risk.OrderHold;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Who is suspended, in PostgreSQL, which outlives Redis and Temporal. Every change is kept, and has
 * a version of the same series as switches and limits.
 */
public final class SuspensionStore {
    /**
     * Holds the row until the change is committed, so that versions become visible in their order.
     * The clock raises it: after a restore of PostgreSQL lifecycles know higher versions of the
     * suspension of all.
     */
    private static final String NEXT_VERSION = """
            UPDATE risk_version
            SET version = greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
            RETURNING version
            """;

    private static final String COLUMNS =
            "SELECT version, name, suspended, reason, changed_by, changed_at FROM suspensions WHERE superseded IS NULL";

    private static final String IN_EFFECT = "SELECT name, version FROM suspensions"
            + " WHERE suspended AND version <= ? AND (superseded IS NULL OR superseded > ?)";

    private static final String SUSPENDED_USERS =
            "SELECT name FROM suspensions WHERE suspended AND superseded IS NULL AND name <> ?";

    private static final String SUPERSEDE =
            "UPDATE suspensions SET superseded = ? WHERE name = ? AND superseded IS NULL";

    private static final String INSERT = "INSERT INTO suspensions"
            + " (version, name, suspended, reason, changed_by, changed_at) VALUES (?, ?, ?, ?, ?, now())";

    private static final String RECORD_SIGNALLED =
            "UPDATE suspensions SET signalled = true WHERE version = ? AND superseded IS NULL";

    private static final String UNSIGNALLED =
            COLUMNS + " AND NOT signalled AND name <> ? AND changed_at < now() - ? * interval '1 second'";

    private final JdbcTemplate postgres;
    private final TransactionTemplate changes;

    /**
     * A store.
     *
     * @param changes each makes one change, or joins the transaction of its thread
     */
    public SuspensionStore(JdbcTemplate postgres, TransactionTemplate changes) {
        this.postgres = postgres;
        this.changes = changes;
    }

    /**
     * The last change of a user's suspension, or of all users'.
     *
     * @param userId null for all users
     * @param suspended false: it has ended
     * @param by the operator
     */
    public record Suspension(
            long version, @Nullable UserId userId, boolean suspended, String reason, String by, Instant at) {}

    /**
     * Suspends or resumes. The same again is a change all the same, since who said so counts.
     *
     * @param userId null for all users
     * @param by the operator
     */
    public Suspension change(@Nullable UserId userId, boolean suspended, String reason, String by) {
        return Objects.requireNonNull(changes.execute(_ -> {
            // First: it makes the next change wait for this one.
            long version = nextVersion(postgres);
            postgres.update(SUPERSEDE, version, name(userId));
            postgres.update(INSERT, version, name(userId), suspended, reason, by);
            return newest(userId).orElseThrow();
        }));
    }

    /**
     * The last change; empty when there was none.
     *
     * @param userId null for all users
     */
    public Optional<Suspension> newest(@Nullable UserId userId) {
        return postgres.query(COLUMNS + " AND name = ?", SuspensionStore::row, name(userId)).stream()
                .findFirst();
    }

    /** The suspensions that hold this user's orders: the user's, and that of all. */
    public List<Suspension> inEffect(UserId userId) {
        return postgres.query(
                COLUMNS + " AND suspended AND name IN (?, ?)",
                SuspensionStore::row,
                userId.value(),
                OrderHold.EVERYBODY);
    }

    /** The users with a suspension of their own. */
    public Set<UserId> suspendedUsers() {
        return postgres.queryForList(SUSPENDED_USERS, String.class, OrderHold.EVERYBODY).stream()
                .map(UserId::new)
                .collect(Collectors.toSet());
    }

    /**
     * Remembers that the user's lifecycle was signalled; false when there is a newer change by now.
     */
    public boolean recordSignalled(long version) {
        return postgres.update(RECORD_SIGNALLED, version) == 1;
    }

    /** Users' changes without a signal that are older than this. */
    public List<Suspension> unsignalled(Duration age) {
        return postgres.query(UNSIGNALLED, SuspensionStore::row, OrderHold.EVERYBODY, age.toSeconds());
    }

    /** Who was suspended after the change of that version, each since which version. */
    public static Map<String, Long> inEffect(JdbcTemplate postgres, long version) {
        Map<String, Long> found = new HashMap<>();
        postgres.query(
                IN_EFFECT,
                row -> {
                    found.put(row.getString("name"), row.getLong("version"));
                },
                version,
                version);
        return found;
    }

    private static String name(@Nullable UserId userId) {
        return userId == null ? OrderHold.EVERYBODY : userId.value();
    }

    private static Suspension row(ResultSet row, int number) throws SQLException {
        return new Suspension(
                row.getLong("version"),
                UserId.parse(row.getString("name")).orElse(null),
                row.getBoolean("suspended"),
                row.getString("reason"),
                row.getString("changed_by"),
                row.getTimestamp("changed_at").toInstant());
    }

    /** Of the next change of a switch, a limit or a suspension; in the same transaction. */
    public static long nextVersion(JdbcTemplate postgres) {
        return Objects.requireNonNull(postgres.queryForObject(NEXT_VERSION, Long.class));
    }
}
