package dev.berth.activities.maintenance;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Map;

/** All lifecycles and orders by Temporal's index, a moment late. The in-memory server of the tests has none. */
interface FleetIndex {
    /** The state of each lifecycle that runs. */
    Map<UserId, WorkerPhase> lifecycles();

    /** An open order of each user who has any. */
    Map<UserId, ClientOrderId> orders();

    /** Orders that were open when their last run ended otherwise than by itself. */
    List<OrderId> abandoned();
}
