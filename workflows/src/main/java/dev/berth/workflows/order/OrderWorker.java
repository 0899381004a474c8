package dev.berth.workflows.order;

import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;

/** An order's user's worker, as the order asks for it. */
final class OrderWorker {
    private final WorkerRequests requests = Workflow.newLocalActivityStub(WorkerRequests.class, OrderPolicies.ensure());
    private final OrderRequest order;

    OrderWorker(OrderRequest order) {
        this.order = order;
    }

    /** A request that fails costs nothing but time: the order waits on, and asks again later. */
    void ensure(OrderStatus now) {
        WorkerNeed.Why why = now.isUnanswered() ? WorkerNeed.Why.ORDER : WorkerNeed.Why.WORKING_ORDER;
        try {
            requests.ensure(order.userId(), new WorkerNeed(order.account(), why));
        } catch (ActivityFailure nobodyHeard) {
            // The next request may get through.
        }
    }

    /** Whether an earlier worker, which nothing proves to be dead, may still send what it has in hand. */
    boolean mayStillSend() {
        try {
            return requests.oldestUnproven(order.userId()) != 0;
        } catch (ActivityFailure nobodyKnows) {
            return true;
        }
    }
}
