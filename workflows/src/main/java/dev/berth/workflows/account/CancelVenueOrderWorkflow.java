package dev.berth.workflows.account;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;

/** Has a user's worker cancel an order that was made elsewhere. */
@WorkflowInterface
public interface CancelVenueOrderWorkflow {
    String TYPE = "CancelVenueOrder";

    /**
     * Fails as {@link ReadAccountWorkflow#run}.
     *
     * @param venueOrderId the venue's id of the order
     */
    @WorkflowMethod(name = TYPE)
    CancelVenueOrderOutcome run(UserId userId, AccountKey account, String venueOrderId, Duration within);
}
