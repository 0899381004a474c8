package dev.berth.workflows.account;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** One activity on the user's control queue, repeated until the venue answers. */
public final class CancelVenueOrderWorkflowImpl implements CancelVenueOrderWorkflow {
    @Override
    public CancelVenueOrderOutcome run(UserId userId, AccountKey account, String venueOrderId, Duration within) {
        WorkflowIds.requireOwn(WorkflowIds.cancelVenueOrder(userId, account, venueOrderId));
        return Workflow.newActivityStub(AccountControl.class, AccountPolicies.call(userId, within))
                .cancel(account, venueOrderId);
    }
}
