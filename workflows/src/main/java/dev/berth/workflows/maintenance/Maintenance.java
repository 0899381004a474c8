package dev.berth.workflows.maintenance;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** What a sweep does outside of its workflow. */
@ActivityInterface
public interface Maintenance {
    /**
     * Reads all marks, tasks, lifecycles and open orders, and answers what drifted: what two sweeps in a row saw, or one
     * that looked directly. A read that fails in part fails as a whole, since it proves nothing.
     *
     * @throws io.temporal.failure.ApplicationFailure Redis was away within the last 60 s, so absence proves nothing
     */
    @ActivityMethod(name = "findDrift")
    SweepView findDrift();

    /**
     * Looks at each once more, and tells its owner. Each fails alone. Healed before, or well again: counted as gone.
     *
     * @param stopsPerMinute beyond it nothing that may end a process is done
     */
    @ActivityMethod(name = "heal")
    HealOutcome heal(List<Drift> batch, int stopsPerMinute);

    /** Writes the log line and the metrics of a sweep. */
    @ActivityMethod(name = "reportSweep")
    void report(SweepReport report);
}
