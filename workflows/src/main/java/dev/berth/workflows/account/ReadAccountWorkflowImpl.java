package dev.berth.workflows.account;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;

/** One activity on the user's control queue. */
public final class ReadAccountWorkflowImpl implements ReadAccountWorkflow {
    @Override
    public Instant run(UserId userId, AccountKey account, Duration within) {
        WorkflowIds.requireOwn(WorkflowIds.readAccount(userId, account));
        return Workflow.newActivityStub(AccountControl.class, AccountPolicies.call(userId, within))
                .read(account);
    }
}
