package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerPhase;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** What Temporal's index tells of lifecycles, a moment late. */
interface LifecycleList {
    /** How many run. */
    long count();

    /** The state of each that runs. */
    Map<UserId, WorkerPhase> all();

    /** The state of each that runs, and began or changed its state at this time or later. */
    Map<UserId, WorkerPhase> changed(Instant since);

    /** Those that came to an end at this time or later; another may have begun since. */
    Set<UserId> ended(Instant since);
}
