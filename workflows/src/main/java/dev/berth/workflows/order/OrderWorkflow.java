package dev.berth.workflows.order;

import dev.berth.workflows.broker.AccountKey;
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
    /** Memo field: a hash of the request, so that the same id with other content is recognized. */
    String REQUEST_HASH = "requestHash";

    @WorkflowMethod(name = TYPE)
    OrderState run(OrderState order);

    /** A report that the venue pushed. Repeated or late, it changes nothing. */
    @SignalMethod
    void report(ExecutionReport report);

    /**
     * The account's credentials are refused: an order that was not sent fails. Another account's:
     * nothing happens.
     */
    @SignalMethod
    void accountRefused(AccountKey account, String why);

    /**
     * The order waits in its user's queue, and the worker that was there at its admission does not
     * take it: from now on the order asks for one. Repeated, or sent by now: nothing happens.
     */
    @SignalMethod
    void workerMissing();

    /**
     * Cancels, and answers when the cancel has had its effect. An order that no worker has taken
     * needs no worker for this; one that the venue has filled meanwhile answers with that.
     */
    @UpdateMethod
    OrderState cancel();

    /**
     * Replaces quantity or price, and answers when that has had its effect, or cannot have it any
     * more: then the order has the reason. An order that no worker has taken needs no worker for
     * this. Too late is no error.
     */
    @UpdateMethod
    OrderState replace(Replacement change);

    /**
     * Refuses a replacement that names nothing, or a price that the order does not have. It leaves
     * no trace.
     */
    @UpdateValidatorMethod(updateName = "replace")
    void check(Replacement change);

    /**
     * Takes what a person found at the broker, and answers when that has had its effect. Absent:
     * the order is sent again if its deadline allows, as soon as no earlier worker may send it any
     * more. An id that the broker does not know changes nothing; the order then has the reason.
     */
    @UpdateMethod
    OrderState resolve(OrderResolution resolution);

    /** Refuses what a person says of an order that waits for no person's word. */
    @UpdateValidatorMethod(updateName = "resolve")
    void checkResolution(OrderResolution resolution);

    @QueryMethod
    OrderState state();
}
