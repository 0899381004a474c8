package dev.berth.workflows.order;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.UpdateValidatorMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** One order, from acceptance to its final state. */
@WorkflowInterface
public interface OrderWorkflow {
    String TYPE = "Order";
    /** Memo field: a hash of the request, so that the same id with other content is told apart. */
    String REQUEST_HASH = "requestHash";

    @WorkflowMethod(name = TYPE)
    OrderState run(OrderState order);

    /** The venue's own news of this order. Told twice or late, it changes nothing. */
    @SignalMethod
    void report(VenueReport report);

    /**
     * Cancels, and answers when the cancel has had its effect. An order that no worker has taken needs none; one that
     * the venue has filled meanwhile answers with that.
     */
    @UpdateMethod
    OrderState cancel();

    /**
     * Replaces quantity or price, and answers when that has had its effect, or can not have it any more: then the order
     * says why. An order that no worker has taken needs none. What comes too late is no error.
     */
    @UpdateMethod
    OrderState replace(Replacement change);

    /** Refuses a replacement that names nothing, or a price that the order does not have. It leaves no trace. */
    @UpdateValidatorMethod(updateName = "replace")
    void check(Replacement change);

    @QueryMethod
    OrderState state();
}
