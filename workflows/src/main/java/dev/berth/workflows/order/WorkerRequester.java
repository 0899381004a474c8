package dev.berth.workflows.order;

import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** Requests of an order for its user's worker. */
final class WorkerRequester {
    private final WorkerRequests requests = Workflow.newLocalActivityStub(WorkerRequests.class, OrderPolicies.ensure());
    private final OrderRequest order;

    WorkerRequester(OrderRequest order) {
        this.order = order;
    }

    /**
     * A request that fails costs nothing but time: the order waits on, and asks again later.
     *
     * @return why no worker can send the order; null when one may
     */
    @Nullable
    Reason ensure(OrderStatus now) {
        WorkerNeed.Why why = now.isUnanswered() ? WorkerNeed.Why.ORDER : WorkerNeed.Why.WORKING_ORDER;
        try {
            return requests.ensure(order.userId(), new WorkerNeed(order.account(), why));
        } catch (ActivityFailure lost) {
            // The next request may get through.
            return null;
        }
    }

    /**
     * Whether an earlier worker, which nothing proves to be dead, may still send what it has in
     * hand.
     */
    boolean mayStillSend() {
        try {
            return requests.oldestUnconfirmedStop(order.userId()) != 0;
        } catch (ActivityFailure unanswered) {
            return true;
        }
    }
}
