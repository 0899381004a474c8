package dev.berth.rest.fleet;

import dev.berth.activities.worker.PostgresFleetSwitches.SwitchChange;
import dev.berth.routing.ReplicaInfo;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fleet in numbers.
 *
 * @param missing the servers that did not answer: {@code postgresql}, {@code redis}; what they
 *     know is absent
 * @param suspended whether all workers are suspended; absent while PostgreSQL is unreachable
 * @param lastSwitch the last suspension or resumption of all, with operator and reason; absent
 *     before the first, and while PostgreSQL is unreachable
 * @param workers number of users by worker state, without empty states
 * @param attention users whose worker dies too often
 * @param attentionOrders orders that need attention; absent while PostgreSQL is unreachable
 * @param openOrders orders that are not final
 * @param poolIdle idle pool workers; absent while Redis is unreachable
 * @param replicas the API processes that run; absent while Redis is unreachable
 */
record FleetView(
        Set<String> missing,
        @Nullable Boolean suspended,
        @Nullable SwitchChange lastSwitch,
        Map<WorkerPhase, Long> workers,
        long attention,
        @Nullable Long attentionOrders,
        long openOrders,
        @Nullable Long poolIdle,
        @Nullable List<ReplicaInfo> replicas) {}
