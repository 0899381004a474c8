package dev.berth.workflows.maintenance;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** The activities of a sweep. */
@ActivityInterface
public interface Maintenance {
    /**
     * Reads all heartbeat keys, tasks, lifecycles and open orders, and returns the confirmed drift:
     * two sweeps in a row found it, or one sweep has direct proof. A partial read of the
     * others than PostgreSQL proves nothing, so it fails.
     *
     * @throws io.temporal.failure.ApplicationFailure Redis was down within the last 60 s, so a
     *     missing key proves nothing
     */
    @ActivityMethod(name = "findDrift")
    SweepView findDrift();

    /**
     * Checks each drift again, and signals its owner. A failure affects one drift only.
     *
     * @param stopsPerMinute the limit for heals that may stop a process
     */
    @ActivityMethod(name = "heal")
    HealOutcome heal(List<Drift> batch, int stopsPerMinute);

    /** Writes the log line and the metrics of a sweep. */
    @ActivityMethod(name = "reportSweep")
    void report(SweepReport report);
}
