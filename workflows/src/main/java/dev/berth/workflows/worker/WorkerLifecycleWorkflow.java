package dev.berth.workflows.worker;

import dev.berth.workflows.broker.AccountKey;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * One user's worker. It alone starts, stops and replaces that worker, so there is no race to do so. Every signal may
 * come twice, late or out of order.
 */
@WorkflowInterface
public interface WorkerLifecycleWorkflow {
    String TYPE = "WorkerLifecycle";

    @WorkflowMethod(name = TYPE)
    void run(WorkerState worker);

    /** The user needs a worker. Has one: it is looked at, and replaced when it is gone. Suspended: kept for later. */
    @SignalMethod
    void ensure(WorkerNeed need);

    /** The user needs none any more. Has none: nothing happens. */
    @SignalMethod
    void stop(String reason);

    /** Closes the worker, and starts none until {@link #resume}. Suspended already: takes the new reason. */
    @SignalMethod
    void suspend(String reason);

    /** Ends a suspension of this user, not one of all. Not suspended: nothing happens. */
    @SignalMethod
    void resume();

    /** All workers were suspended or resumed. A word with a lower version than the last is passed over. */
    @SignalMethod
    void fleetSwitched(FleetSwitch now);

    /** The account's credentials were stored anew, or removed. No session of it open: the next one uses the new. */
    @SignalMethod
    void reloadCredentials(AccountKey account);

    /**
     * A process says that it has made its mark, and listens on its control queue: the receipt of a claim, and of a launch.
     * Its epoch is not the one that is waited for: nothing happens. One that is not heard is asked.
     */
    @SignalMethod
    void attached(WorkerProcess process);

    /** ECS says that a task stopped. Another task than this user's: nothing happens. */
    @SignalMethod
    void taskStopped(String taskArn, String reason);

    /** Redis says that the mark ran out. It is read again before anything is done. */
    @SignalMethod
    void markExpired();

    /** A worker lives whose epoch Redis has lost. The current one's is put back; another one is stopped. */
    @SignalMethod
    void seen(long epoch, String taskArn);

    /** The worker of this epoch had no order for a while and none works at the venue. Another's word: nothing. */
    @SignalMethod
    void idle(long epoch);

    @QueryMethod
    WorkerState state();
}
