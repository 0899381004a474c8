package dev.berth.activities.maintenance;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The whole fleet, read from Redis, ECS, Temporal's visibility and PostgreSQL.
 *
 * @param heartbeats task id in each user's heartbeat key
 * @param running ids of all tasks that run or start, including those of the pool
 * @param withoutHeartbeat running tasks without a heartbeat that are older than a launch takes
 * @param stopped tasks with a heartbeat that ECS proves to be stopped
 * @param unconfirmed tasks with a heartbeat that ECS does not know, or reports as stopped without
 *     proof
 * @param lifecycles the phase of each running lifecycle, a moment late
 * @param orders one open order of each user who has any, a moment late
 * @param abandoned open orders whose last run was terminated, failed or timed out
 * @param recorded by PostgreSQL, without the orders whose workflow runs, a moment late
 */
record FleetSnapshot(
        Map<UserId, String> heartbeats,
        Set<String> running,
        List<RunningTask> withoutHeartbeat,
        Set<String> stopped,
        Set<String> unconfirmed,
        Map<UserId, WorkerPhase> lifecycles,
        Map<UserId, ClientOrderId> orders,
        List<OrderId> abandoned,
        RecordedFleet recorded) {

    /** Heartbeats of running tasks. */
    Stream<Map.Entry<UserId, String>> liveWorkers() {
        return heartbeats.entrySet().stream().filter(worker -> running.contains(worker.getValue()));
    }
}
