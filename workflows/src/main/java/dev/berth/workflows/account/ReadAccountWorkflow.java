package dev.berth.workflows.account;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.time.Instant;

/** Has a user's worker read an account. Requests at the same time share one. */
@WorkflowInterface
public interface ReadAccountWorkflow {
    String TYPE = "ReadAccount";

    /**
     * Fails with the worker's failure, or with a time-out when no worker answers in time.
     *
     * @param within how long to wait for a worker with an open session and its answer
     * @return as {@link AccountControl#read}
     */
    @WorkflowMethod(name = TYPE)
    Instant run(UserId userId, AccountKey account, Duration within);
}
