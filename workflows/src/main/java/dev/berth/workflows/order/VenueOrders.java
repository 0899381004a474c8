package dev.berth.workflows.order;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** The one activity of a user's orders queue. */
@ActivityInterface
public interface VenueOrders {
    /**
     * Sends the order to the venue, once. A venue that says "duplicate client order id" has it: the answer is
     * then what the venue has.
     *
     * <p>Every exception means that nobody knows whether the venue has the order.
     */
    @ActivityMethod(name = "submitOrder")
    SubmitOutcome submit(SubmitOrder command);
}
