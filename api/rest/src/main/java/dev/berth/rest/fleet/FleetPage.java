package dev.berth.rest.fleet;

import dev.berth.rest.worker.WorkerHeartbeat;
import dev.berth.temporal.client.LifecycleIndex.WorkerPage;
import dev.berth.temporal.client.LifecycleIndex.WorkerRow;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of the fleet.
 *
 * @param nextCursor gives the next page; absent on the last one
 */
record FleetPage(List<Row> workers, @Nullable String nextCursor) {
    /**
     * One user's worker, as an index knows it: at most a second old. What the worker tells of
     * itself is absent without a live process, and while Redis is unreachable.
     *
     * @param state never PROCESSING: a worker with a current order is
     * @param attention it dies too often: a person should look
     * @param runSince when its lifecycle workflow began its current run
     * @param queue the task queue that it takes orders from
     * @param epoch by itself
     * @param launchedAt when its process started, by itself
     * @param version of its program, by itself
     * @param currentOrder the client order id of the order that it has in hand, by itself
     * @param requestsUsed of the broker's request limit, percent, of the account that used most,
     *     by itself
     */
    record Row(
            UserId userId,
            String state,
            boolean attention,
            Instant runSince,
            String queue,
            @Nullable Long epoch,
            @Nullable Instant launchedAt,
            @Nullable String version,
            @Nullable String currentOrder,
            @Nullable Integer requestsUsed) {
        static Row of(WorkerRow worker, @Nullable WorkerHeartbeat heartbeat) {
            return new Row(
                    worker.userId(),
                    worker.phase().name(),
                    worker.isCrashLooping(),
                    worker.runSince(),
                    TaskQueues.ordersOf(worker.userId()),
                    heartbeat == null ? null : heartbeat.epoch(),
                    heartbeat == null ? null : heartbeat.launchedAt(),
                    heartbeat == null ? null : heartbeat.version(),
                    heartbeat == null ? null : heartbeat.currentOrder(),
                    heartbeat == null ? null : heartbeat.requestsUsed());
        }
    }

    static FleetPage of(WorkerPage page, Map<UserId, WorkerHeartbeat> heartbeats) {
        return new FleetPage(
                page.workers().stream()
                        .map(worker -> Row.of(worker, heartbeats.get(worker.userId())))
                        .toList(),
                page.nextCursor());
    }
}
