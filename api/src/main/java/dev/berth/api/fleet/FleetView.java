package dev.berth.api.fleet;

import dev.berth.activities.worker.PostgresFleetSwitches.Change;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fleet in numbers.
 *
 * @param suspended whether all workers are
 * @param lastSwitch who suspended or resumed all, and why; absent when nobody ever did
 * @param workers users by the state of their worker; states without any are left out
 * @param attention users whose worker dies too often
 * @param attentionOrders orders that wait for a person
 * @param openOrders orders that are not final
 * @param poolIdle pool workers that wait for a user; absent while Redis is away
 */
record FleetView(
        boolean suspended,
        @Nullable Change lastSwitch,
        Map<WorkerPhase, Long> workers,
        long attention,
        long attentionOrders,
        long openOrders,
        @Nullable Long poolIdle) {}
