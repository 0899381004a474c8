package dev.berth.workflows.worker;

import dev.berth.workflows.TimedAwait;
import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.worker.WorkerStatus.AwaitingStop;
import dev.berth.workflows.worker.WorkerStatus.BackingOff;
import dev.berth.workflows.worker.WorkerStatus.Claimed;
import dev.berth.workflows.worker.WorkerStatus.Connecting;
import dev.berth.workflows.worker.WorkerStatus.Draining;
import dev.berth.workflows.worker.WorkerStatus.Launching;
import dev.berth.workflows.worker.WorkerStatus.Terminated;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a worker ends: planned, given up, or before it served. */
final class WorkerShutdown {
    static final String IDLE = "no order for a while, and none works at the venue";

    private final Lifecycle lifecycle;
    private final WorkerEpoch epoch;
    private final TaskStopper stopper;

    WorkerShutdown(Lifecycle lifecycle, WorkerEpoch epoch, TaskStopper stopper) {
        this.lifecycle = lifecycle;
        this.epoch = epoch;
        this.stopper = stopper;
    }

    /** The worker is not wanted any more. */
    void drain() {
        DesiredState desired = lifecycle.state().desired();
        String suspended = desired.suspended();
        drain(Objects.requireNonNullElse(suspended == null ? desired.reason() : suspended, "stopped"), false);
    }

    /** The worker reported itself idle. It may refuse to close. */
    void drainIdle() {
        lifecycle.updateRequests(requests -> requests.withIdleEpoch(0));
        lifecycle.update(state -> state.withDesired(state.desired().stopped(IDLE)));
        drain(IDLE, true);
    }

    private void drain(String reason, boolean onlyIfIdle) {
        Instant now = WorkflowTasks.now();
        Instant deadline = now.plus(WorkerPolicies.CLOSE_SESSION);
        lifecycle.become(new Draining(now, deadline, lifecycle.live(), reason, onlyIfIdle));
    }

    /** An idle worker that is busy after all goes on: an order that races with the stop wins. */
    void close(Draining draining) {
        CloseOutcome outcome = closeSessions(draining.onlyIfIdle());
        if (outcome == CloseOutcome.BUSY && draining.onlyIfIdle()) {
            if (IDLE.equals(lifecycle.state().desired().reason())) {
                lifecycle.update(state -> state.withDesired(state.desired().needed()));
            }
            lifecycle.resumeActive();
            return;
        }
        if (outcome == CloseOutcome.BUSY) {
            awaitDeadline(draining);
        }
        // Silent or dead: it is stopped in any case, and a process that is gone has no sessions.
        remove(draining.worker(), draining.reason());
        terminate(draining.reason());
    }

    /** An order that the worker did not take before its end needs the next one. */
    private void terminate(@Nullable String reason) {
        boolean isNeeded = epoch.hasWaitingOrders();
        lifecycle.become(new Terminated(WorkflowTasks.now(), reason));
        if (isNeeded) {
            lifecycle.update(state -> state.withDesired(state.desired().needed()));
        }
    }

    /**
     * A process that has to close cannot refuse. It has the time for the order in hand that one has
     * that does not answer.
     */
    private void awaitDeadline(Draining draining) {
        Duration left = Duration.between(WorkflowTasks.now(), draining.deadline());
        if (left.isPositive()) {
            TimedAwait.until(
                    left,
                    "it refuses to close; then it is stopped",
                    () -> lifecycle.health().death() != null);
        }
    }

    /** Null when the process did not answer. */
    @Nullable
    CloseOutcome closeSessions(boolean onlyIfIdle) {
        return ask(control -> control.closeSession(lifecycle.state().epoch(), onlyIfIdle));
    }

    /** Null when the process did not answer. */
    @Nullable
    CloseOutcome closeIfQuiet() {
        return ask(control -> control.closeIfQuiet(lifecycle.state().epoch()));
    }

    private @Nullable CloseOutcome ask(Function<WorkerControl, CloseOutcome> question) {
        WorkerControl control =
                Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.closeSession(lifecycle.userId()));
        try {
            return Waits.callUntil(() -> lifecycle.health().death() != null, () -> question.apply(control))
                    .get();
        } catch (ActivityFailure | CanceledFailure silentOrDead) {
            return null;
        }
    }

    /** The worker is dead, or as good as dead. */
    void giveUp() {
        String reason = Objects.requireNonNull(lifecycle.health().death());
        Instant now = WorkflowTasks.now();
        lifecycle.update(state -> state.died(now));
        Instant deadline = now.plus(WorkerHeartbeats.LEASE_OVER);
        lifecycle.become(new AwaitingStop(now, deadline, lifecycle.live(), reason));
    }

    /**
     * The next worker is started when this one is proven dead, or surely cannot send any more: once
     * the epoch is raised it cannot renew its lease.
     */
    void awaitStop(AwaitingStop awaiting) {
        remove(awaiting.worker(), awaiting.reason());
        Instant now = WorkflowTasks.now();
        boolean isLooping = lifecycle.state().isCrashLooping(now);
        int pauses = isLooping ? lifecycle.starts().crashPauses() + 1 : 0;
        lifecycle.updateStarts(starts -> starts.withCrashPauses(pauses));
        Duration pause = isLooping ? WorkerPolicies.crashPause(pauses) : Duration.ZERO;
        String reason = isLooping ? "It died too often, lately: " + awaiting.reason() : awaiting.reason();
        lifecycle.become(new BackingOff(now, now.plus(pause), reason));
    }

    /** The worker is not wanted any more before it is active: what was begun is undone. */
    void undo() {
        String why = "wanted no more";
        switch (lifecycle.status()) {
            case Claimed _ -> {
                epoch.revoke();
                WorkerStart.refillPool(lifecycle);
            }
            case Launching launching -> {
                if (launching.taskArn() != null) {
                    long launched = lifecycle.state().epoch();
                    stopper.stop(launched, launching.taskArn(), why, WorkerHeartbeats.LEASE_OVER);
                }
                epoch.revoke();
            }
            case Connecting connecting -> remove(connecting.worker(), why);
            default -> throw new IllegalStateException("no start to undo in " + lifecycle.status());
        }
        terminate(lifecycle.state().desired().reason());
    }

    /**
     * Raises the epoch first: the worker cannot renew its lease then, and sends nothing once the
     * lease is over, whatever became of the stop. A dead worker may have taken a claim and not
     * deleted it: no process may take it again.
     */
    void remove(LiveWorker worker, String why) {
        epoch.raise();
        WorkerProcess process = worker.process();
        stopper.stop(process.epoch(), process.taskArn(), why, epoch.leaseLeft());
        epoch.deleteHeartbeatKey();
    }
}
