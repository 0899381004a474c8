package dev.berth.rest.fleet;

import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.temporal.client.LifecycleIndex.WorkerRow;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One user's worker, as an index knows it: at most a second old. What the worker tells of itself is
 * absent without a live process, and while Redis is unreachable.
 *
 * @param state never PROCESSING: a worker with a current order is
 * @param attention it dies too often: a person should look
 * @param runSince when its lifecycle workflow began its current run
 * @param queue the task queue that it takes orders from
 * @param epoch by itself
 * @param launchedAt when its process started, by itself
 * @param version of its program, by itself
 * @param currentOrder the client order id of the order that it has in hand, by itself
 * @param requestsUsed of the broker's request limit, percent, of the account that used most, by
 *     itself
 */
record FleetWorker(
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
    static FleetWorker of(WorkerRow worker, @Nullable WorkerHeartbeat heartbeat) {
        return new FleetWorker(
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
