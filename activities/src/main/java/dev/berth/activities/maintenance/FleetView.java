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
 * The whole fleet at one moment, as Redis, ECS and Temporal's index tell of it.
 *
 * @param marks the task that each live worker's mark names
 * @param running ids of all tasks that run or begin to, the pool's among them
 * @param unmarked those of them that no mark names and that are older than a launch takes
 * @param stopped tasks that are marked and that ECS says are stopped
 * @param unknown tasks that are marked and that ECS does not know
 * @param lifecycles the state of each lifecycle that runs; a moment late
 * @param orders an open order of each user who has any; a moment late
 * @param abandoned open orders whose workflow was ended, and not begun again
 */
record FleetView(
        Map<UserId, String> marks,
        Set<String> running,
        List<RunningTask> unmarked,
        Set<String> stopped,
        Set<String> unknown,
        Map<UserId, WorkerPhase> lifecycles,
        Map<UserId, ClientOrderId> orders,
        List<OrderId> abandoned) {

    /** Marks whose task runs. */
    Stream<Map.Entry<UserId, String>> alive() {
        return marks.entrySet().stream().filter(mark -> running.contains(mark.getValue()));
    }
}
