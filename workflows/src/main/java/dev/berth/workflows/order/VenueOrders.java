package dev.berth.workflows.order;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** The one activity of a user's orders queue. */
@ActivityInterface
public interface VenueOrders {
    /** The activity's type. */
    String SUBMIT = "submitOrder";

    /**
     * Sends the order to the venue, once. A venue that answers "duplicate client order id" has it:
     * the outcome is then the order that the venue has.
     *
     * <p>Every exception means that the venue may or may not have the order.
     */
    @ActivityMethod(name = SUBMIT)
    SubmitOutcome submit(SubmitOrder command);
}
