package dev.berth.workflows.worker;

import dev.berth.workflows.broker.AccountKey;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** One user's worker. It alone starts, stops and replaces that worker, so there is no race to do so. */
@WorkflowInterface
public interface WorkerLifecycleWorkflow {
    String TYPE = "WorkerLifecycle";

    @WorkflowMethod(name = TYPE)
    void run(WorkerState worker);

    /** The user needs a worker. Has one: it is looked at, and replaced when it is gone. */
    @SignalMethod
    void ensure(AccountKey account);

    /** The user needs none any more. Has none: nothing happens. */
    @SignalMethod
    void stop(String reason);

    /** ECS says that a task stopped. Another task than the current one: nothing happens. */
    @SignalMethod
    void taskStopped(String taskArn, String reason);

    @QueryMethod
    WorkerState state();
}
