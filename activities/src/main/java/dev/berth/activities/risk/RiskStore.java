package dev.berth.activities.risk;

import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.OrderHold;
import dev.berth.workflows.risk.RiskLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Kill switches and limits in PostgreSQL: they outlive everything else, with who changed them, when
 * and why. Suspensions ({@link SuspensionStore}) and mass cancels ({@link MassCancelStore}) are
 * read with them.
 */
public final class RiskStore {
    private static final String SWITCHES =
            "SELECT DISTINCT ON (name) state FROM kill_switches WHERE version <= ? ORDER BY name, version DESC";

    private static final String LIMITS = """
            SELECT DISTINCT ON (user_id, account) user_id, account, limits, changed_by, changed_at FROM risk_limits
            """;

    private static final String NEWEST = " ORDER BY user_id, account, version DESC";

    private final JdbcTemplate postgres;
    private final TransactionTemplate changes;
    private final TransactionTemplate snapshots;

    /**
     * A store.
     *
     * @param changes each makes one change
     */
    public RiskStore(JdbcTemplate postgres, TransactionTemplate changes) {
        this.postgres = postgres;
        this.changes = changes;
        this.snapshots = new TransactionTemplate(Objects.requireNonNull(changes.getTransactionManager()));
        snapshots.setIsolationLevel(TransactionTemplate.ISOLATION_REPEATABLE_READ);
        snapshots.setReadOnly(true);
    }

    /**
     * The limits of one account.
     *
     * @param by who wanted them so
     */
    public record AccountLimits(UserId userId, AccountKey account, RiskLimits limits, String by, Instant at) {}

    /**
     * Everything in one moment.
     *
     * @param switches how each that was ever touched stands
     * @param limits of every account that ever had some
     * @param suspended users' ids, and {@link OrderHold#EVERYBODY}, each with the version of the
     *     suspension
     * @param cancels mass cancels in effect, by the name of a kill switch
     */
    public record Snapshot(
            long version,
            List<KillSwitch> switches,
            List<AccountLimits> limits,
            Map<String, Long> suspended,
            Map<String, List<MassCancel>> cancels) {
        /** Whether the limits of any account need quotes. */
        public boolean needsQuotes() {
            return limits.stream().anyMatch(one -> one.limits().isNeedingQuotes());
        }
    }

    /** The version of the last change. */
    public long version() {
        return Objects.requireNonNull(postgres.queryForObject("SELECT version FROM risk_version", Long.class));
    }

    public Snapshot snapshot() {
        return Objects.requireNonNull(snapshots.execute(_ -> snapshotOf(version())));
    }

    /** Everything as it stood after the change of that version; every change is kept. */
    public Snapshot snapshotOf(long version) {
        List<KillSwitch> switches = postgres.queryForList(SWITCHES, String.class, version).stream()
                .map(json -> Json.read(json, KillSwitch.class))
                .toList();
        List<AccountLimits> limits = postgres.query(LIMITS + "WHERE version <= ?" + NEWEST, RiskStore::limits, version);
        return new Snapshot(
                version,
                switches,
                limits,
                SuspensionStore.inEffect(postgres, version),
                MassCancelStore.inEffect(postgres, version));
    }

    /** Empty when no limits are set. */
    public Optional<AccountLimits> limits(UserId userId, AccountKey account) {
        return postgres
                .query(
                        LIMITS + "WHERE user_id = ? AND account = ?" + NEWEST,
                        RiskStore::limits,
                        userId.value(),
                        account.toString())
                .stream()
                .findFirst();
    }

    /** Sets a switch. As it stands already: a change all the same, since who said so counts. */
    public void change(KillSwitch to) {
        changes.executeWithoutResult(_ -> postgres.update(
                "INSERT INTO kill_switches (version, name, state, changed_at) VALUES (?, ?, ?::jsonb, ?)",
                SuspensionStore.nextVersion(postgres),
                to.name(),
                Json.write(to),
                Timestamp.from(to.changedAt())));
    }

    /** Sets an account's limits, all of them. */
    public void change(AccountLimits to) {
        changes.executeWithoutResult(_ -> postgres.update(
                "INSERT INTO risk_limits (version, user_id, account, limits, changed_by, changed_at)"
                        + " VALUES (?, ?, ?, ?::jsonb, ?, ?)",
                SuspensionStore.nextVersion(postgres),
                to.userId().value(),
                to.account().toString(),
                Json.write(to.limits()),
                to.by(),
                Timestamp.from(to.at())));
    }

    private static AccountLimits limits(ResultSet row, int number) throws SQLException {
        return new AccountLimits(
                new UserId(row.getString("user_id")),
                AccountKey.parse(row.getString("account")),
                Json.read(row.getString("limits"), RiskLimits.class),
                row.getString("changed_by"),
                row.getTimestamp("changed_at").toInstant());
    }
}
