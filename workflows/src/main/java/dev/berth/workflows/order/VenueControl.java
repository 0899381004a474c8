package dev.berth.workflows.order;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What a worker does with orders on its control queue, while another order may be in hand. */
@ActivityInterface
public interface VenueControl {
    /**
     * Looks the order up by client order id. Waits for this process's own attempt first, if that
     * may still write.
     */
    @ActivityMethod(name = "findOrder")
    FindOutcome find(FindOrder question);

    /**
     * As {@link #find}; may be answered by what the session heard, without a request to the venue,
     * while it surely hears of every change.
     */
    @ActivityMethod(name = "checkOrder")
    FindOutcome check(FindOrder question);

    /**
     * As {@link #find}, with all executions that the venue has of this version; it fails when the
     * venue does not report them.
     */
    @ActivityMethod(name = "findExecutions")
    FindOutcome findExecutions(FindOrder question);

    /**
     * Cancels at the venue and reports what is there now. Already final: that state; refused: the
     * order as it was, with the venue's reason; never an error.
     */
    @ActivityMethod(name = "cancelOrder")
    FindOutcome cancel(CancelOrder order);

    /**
     * Replaces at the venue, behind the same gate as a submission. Already final, or filled as far
     * as is wanted: {@link ReplaceOutcome.NotReplaced}; the next version is there already:
     * {@link ReplaceOutcome.Replaced}.
     */
    @ActivityMethod(name = "replaceOrder")
    ReplaceOutcome replace(ReplaceOrder order);
}
