package dev.berth.workflows.order;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What a worker does with orders on its control queue, while another order may be in hand. All of it is repeatable. */
@ActivityInterface
public interface VenueControl {
    /** Asks the venue by client order id. Waits for this process's own attempt first, if that may still write. */
    @ActivityMethod(name = "findOrder")
    FindOutcome find(FindOrder question);

    /** Cancels at the venue and reports what is there now. Already final: that state; never an error. */
    @ActivityMethod(name = "cancelOrder")
    FindOutcome cancel(OrderRequest request);
}
