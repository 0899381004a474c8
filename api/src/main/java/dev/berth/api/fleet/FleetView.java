package dev.berth.api.fleet;

import dev.berth.activities.routing.ReplicaInfo;
import dev.berth.activities.worker.PostgresFleetSwitches.SwitchChange;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fleet in numbers.
 *
 * @param suspended whether all workers are suspended
 * @param lastSwitch the last suspension or resumption of all, with operator and reason; absent
 *     before the first
 * @param workers number of users by worker state, without empty states
 * @param attention users whose worker dies too often
 * @param attentionOrders orders that need attention
 * @param openOrders orders that are not final
 * @param poolIdle idle pool workers; absent while Redis is unreachable
 * @param replicas the API processes that run; absent while Redis is unreachable
 */
record FleetView(
        boolean suspended,
        @Nullable SwitchChange lastSwitch,
        Map<WorkerPhase, Long> workers,
        long attention,
        long attentionOrders,
        long openOrders,
        @Nullable Long poolIdle,
        @Nullable List<ReplicaInfo> replicas) {}
