package dev.berth.activities.worker;

import dev.berth.workflows.worker.FleetSwitch;
import dev.berth.workflows.worker.FleetSwitches;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/** The fleet's switch in PostgreSQL, which outlives Redis and Temporal. */
public final class PostgresFleetSwitches implements FleetSwitches {
    private static final String READ = "select version, suspended, reason from fleet_switch";

    private static final String LAST = "select version, suspended, reason, changed_by, changed_at from fleet_switch";

    /**
     * The clock raises the version: after a restore of PostgreSQL the lifecycles know higher
     * versions.
     */
    private static final String CHANGE = """
            insert into fleet_switch as before (version, suspended, reason, changed_by, changed_at)
              values ((extract(epoch from now()) * 1000)::bigint, ?, ?, ?, now())
            on conflict (only_row) do update set version = greatest(before.version + 1, excluded.version),
              suspended = excluded.suspended, reason = excluded.reason, changed_by = excluded.changed_by,
              changed_at = excluded.changed_at
            returning version, suspended, reason
            """;

    private final JdbcTemplate postgres;

    public PostgresFleetSwitches(JdbcTemplate postgres) {
        this.postgres = postgres;
    }

    @Override
    public FleetSwitch read() {
        return postgres.query(READ, PostgresFleetSwitches::row).stream()
                .findFirst()
                .orElse(FleetSwitch.UNTOUCHED);
    }

    /**
     * The last change.
     *
     * @param by the operator
     */
    public record SwitchChange(FleetSwitch now, String by, Instant at) {}

    /** Empty when the switch was never changed. */
    public Optional<SwitchChange> last() {
        return postgres.query(LAST, PostgresFleetSwitches::change).stream().findFirst();
    }

    /**
     * Suspends or resumes all workers. The same value again gets a new version, with the new
     * operator.
     *
     * @param by the operator
     */
    public FleetSwitch change(boolean suspended, String reason, String by) {
        return postgres.query(CHANGE, PostgresFleetSwitches::row, suspended, reason, by)
                .getFirst();
    }

    private static SwitchChange change(ResultSet row, int number) throws SQLException {
        return new SwitchChange(
                row(row, number),
                row.getString("changed_by"),
                row.getTimestamp("changed_at").toInstant());
    }

    private static FleetSwitch row(ResultSet row, int number) throws SQLException {
        return new FleetSwitch(row.getLong("version"), row.getBoolean("suspended"), row.getString("reason"));
    }
}
