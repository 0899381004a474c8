package dev.berth.api.fleet;

import dev.berth.activities.temporal.LifecycleIndex.WorkerPage;
import dev.berth.activities.temporal.LifecycleIndex.WorkerRow;
import dev.berth.workflows.UserId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the fleet.
 *
 * @param nextCursor gives the next page; absent on the last one
 */
record FleetPage(List<Row> workers, @Nullable String nextCursor) {
    /**
     * One user's worker, as an index knows it: at most a second old.
     *
     * @param state never PROCESSING, which only the worker itself knows
     * @param attention it dies too often: a person should look
     * @param runSince when its lifecycle workflow began its current run
     */
    record Row(UserId userId, String state, boolean attention, Instant runSince) {
        static Row of(WorkerRow worker) {
            return new Row(worker.userId(), worker.phase().name(), worker.isCrashLooping(), worker.runSince());
        }
    }

    static FleetPage of(WorkerPage page) {
        return new FleetPage(page.workers().stream().map(Row::of).toList(), page.nextCursor());
    }
}
