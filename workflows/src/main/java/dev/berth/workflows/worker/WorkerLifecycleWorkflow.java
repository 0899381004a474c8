package dev.berth.workflows.worker;

import dev.berth.workflows.broker.AccountKey;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import org.jspecify.annotations.Nullable;

/**
 * One user's worker. It alone starts, stops and replaces that worker, so there is no race to do so.
 * Every signal may come twice, late or out of order.
 */
@WorkflowInterface
public interface WorkerLifecycleWorkflow {
    String TYPE = "WorkerLifecycle";
    /** The signal that a batch operation sends to every lifecycle. */
    String FLEET_SWITCHED = "fleetSwitched";

    @WorkflowMethod(name = TYPE)
    void run(WorkerState worker);

    /**
     * The user needs a worker. A worker that is gone is replaced. Suspended: the need is kept for
     * later.
     */
    @SignalMethod
    void ensure(WorkerNeed need);

    /**
     * The user needs no worker any more. Without one nothing happens. Takes effect without a reason
     * too, or with what is none, as a person may type it.
     *
     * @param reason a text
     */
    @SignalMethod
    void stop(@Nullable Object reason);

    /**
     * Closes the worker, and starts none until {@link #resume}. Suspended already: the new reason
     * counts. Takes effect without a reason too, or with what is none, as a person may type it.
     *
     * @param reason a text
     */
    @SignalMethod
    void suspend(@Nullable Object reason);

    /** Ends a suspension of this user, not one of all users. Not suspended: nothing happens. */
    @SignalMethod
    void resume();

    /**
     * All workers were suspended or resumed. A switch with a lower version than the last is
     * ignored.
     */
    @SignalMethod(name = FLEET_SWITCHED)
    void fleetSwitched(FleetSwitch now);

    /**
     * The account's credentials were stored anew, or removed. Without an open session the next one
     * uses the new credentials.
     */
    @SignalMethod
    void reloadCredentials(AccountKey account);

    /**
     * A process reports that it has its heartbeat key and polls its control queue. The report
     * counts only from the task that was reserved or launched, with the epoch that is awaited.
     * Without a report the process is asked.
     */
    @SignalMethod
    void attached(WorkerProcess process);

    /**
     * An event reports that a task stopped. It counts once ECS proves it. Ignored for tasks of
     * other users.
     */
    @SignalMethod
    void taskStopped(String taskArn, String reason);

    /** The heartbeat key expired. It is read again before anything is done. */
    @SignalMethod
    void heartbeatExpired();

    /**
     * A worker lives whose epoch Redis has lost. The current worker gets it back; another one is
     * stopped. Ignored with an epoch that no worker can have.
     */
    @SignalMethod
    void workerFound(long epoch, String taskArn);

    /**
     * The worker of this epoch had no order for a while and none works at the venue. Ignored from
     * another worker.
     */
    @SignalMethod
    void idle(long epoch);

    /**
     * The process of this task is to be replaced by another one, which is started first, when no
     * order is in hand. Ignored from another task. Counts for a minute and a half; repeat the
     * signal while the reason lasts.
     */
    @SignalMethod
    void handOver(String taskArn, String reason);

    @QueryMethod
    WorkerState state();
}
