package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import java.util.List;
import java.util.Set;

/**
 * What PostgreSQL has of the fleet.
 *
 * @param openOrders orders that are not final
 * @param suspended users who are suspended, each by himself
 */
record RecordedFleet(List<OrderId> openOrders, Set<UserId> suspended) {
    static final RecordedFleet NOTHING = new RecordedFleet(List.of(), Set.of());

    /** Without the orders whose workflow runs. */
    RecordedFleet without(Set<OrderId> running) {
        return new RecordedFleet(
                openOrders.stream().filter(order -> !running.contains(order)).toList(), suspended);
    }
}
