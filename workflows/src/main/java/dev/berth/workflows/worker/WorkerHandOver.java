package dev.berth.workflows.worker;

import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.pool.PoolClaims;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.worker.WorkerState.Requests;
import dev.berth.workflows.worker.WorkerStatus.Claimed;
import dev.berth.workflows.worker.WorkerStatus.Draining;
import dev.berth.workflows.worker.WorkerStatus.Terminated;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hands a user over to another process, since the host of this one drains or a newer version is
 * out. The successor is launched first, into the pool, and reserved when it is idle: then all that
 * can be loaded is loaded. At a moment without an order in hand the old process closes its sessions
 * and gives up its lease; the epoch is raised; the successor is claimed and opens the sessions. In
 * this order, since a venue may allow one session of an account: the old one ends before the new
 * one begins.
 */
final class WorkerHandOver {
    private final PoolClaims pool = Workflow.newLocalActivityStub(PoolClaims.class, WorkerPolicies.quick());
    private final Lifecycle lifecycle;
    private final WorkerEpoch epoch;
    private final WorkerStart start;
    private final TaskStopper stopper;
    private final WorkerShutdown shutdown;

    WorkerHandOver(
            Lifecycle lifecycle, WorkerEpoch epoch, WorkerStart start, TaskStopper stopper, WorkerShutdown shutdown) {
        this.lifecycle = lifecycle;
        this.epoch = epoch;
        this.start = start;
        this.stopper = stopper;
        this.shutdown = shutdown;
    }

    void request(String taskArn, String reason) {
        if (lifecycle.isCurrent(taskArn)) {
            Instant now = WorkflowTasks.now();
            HandOver known = current();
            lifecycle.updateHandOver(
                    _ -> known == null ? HandOver.requested(taskArn, reason, now) : known.repeated(now));
        }
    }

    /** The request for the current process; null without one. */
    private @Nullable HandOver current() {
        HandOver request = lifecycle.handOver();
        return request == null || !lifecycle.isCurrent(request.taskArn()) || request.isOver(WorkflowTasks.now())
                ? null
                : request;
    }

    @Nullable
    Instant dueAt(Instant now) {
        HandOver request = current();
        return request == null ? null : request.tryAt();
    }

    /** The next of its steps: each is short, so that the worker is looked after meanwhile. */
    void next() {
        HandOver request = Objects.requireNonNull(current());
        if (request.successor() == null) {
            launch();
        } else {
            move(request, request.successor());
        }
    }

    private void launch() {
        PoolTasks launching = Workflow.newActivityStub(
                PoolTasks.class,
                HandOverPolicies.runSuccessor(lifecycle.starts().group()));
        String successor = null;
        try {
            successor = launching.run(Workflow.randomUUID().toString());
        } catch (ActivityFailure heldOrRefused) {
            // As without room: the worker goes on where it is.
        }
        Instant now = WorkflowTasks.now();
        if (successor == null) {
            retry(HandOverPolicies.RETRY);
        } else {
            HandOver request = Objects.requireNonNull(lifecycle.handOver());
            HandOver launched = request.launched(successor, now);
            lifecycle.updateHandOver(_ -> launched);
        }
    }

    private void move(HandOver request, String successor) {
        Instant launchedAt = Objects.requireNonNull(request.launchedAt());
        long next = lifecycle.state().raised() + 1;
        String taskId = TaskArns.id(successor);
        if (!pool.reserve(lifecycle.userId(), next, taskId)) {
            boolean isLate = WorkflowTasks.now().isAfter(launchedAt.plus(WorkerPolicies.LAUNCH_ANSWER));
            if (isLate) {
                Instant later = WorkflowTasks.now().plus(HandOverPolicies.RETRY);
                lifecycle.updateHandOver(it -> Objects.requireNonNull(it).withoutSuccessor(later));
            } else {
                retry(HandOverPolicies.SUCCESSOR_CHECK);
            }
            return;
        }
        Instant now = WorkflowTasks.now();
        boolean onlyIfQuiet = now.isBefore(launchedAt.plus(WorkerPolicies.LAUNCH_ANSWER));
        Draining closing =
                new Draining(now, now.plus(WorkerPolicies.CLOSE_SESSION), lifecycle.live(), request.reason(), false);
        lifecycle.become(closing);
        CloseOutcome outcome = onlyIfQuiet ? shutdown.closeIfQuiet() : shutdown.closeSessions(false);
        if (outcome == CloseOutcome.CLOSED) {
            replace(closing, next, taskId);
            return;
        }
        lifecycle.resumeActive();
        if (!WorkflowTasks.now().isBefore(launchedAt.plus(HandOverPolicies.LONGEST_REFUSAL))) {
            lifecycle.suspectDeath("it did not close for its successor");
            return;
        }
        if (outcome == null) {
            // It may have closed all the same, or have died; the next check finds out.
            lifecycle.updateHealth(HealthRecord::doubt);
        }
        retry(outcome == CloseOutcome.BUSY && onlyIfQuiet ? HandOverPolicies.QUIET_CHECK : HandOverPolicies.RETRY);
    }

    private void replace(Draining closed, long next, String taskId) {
        lifecycle.updateHandOver(_ -> null);
        epoch.raise();
        // Else a key that the process could not remove would keep the successor out.
        epoch.deleteHeartbeatKey();
        WorkerProcess process = closed.worker().process();
        stopper.stopClosed(process.epoch(), process.taskArn(), closed.reason());
        Instant now = WorkflowTasks.now();
        if (!lifecycle.state().isWanted()) {
            lifecycle.become(new Terminated(now, lifecycle.state().desired().reason()));
        } else if (lifecycle.state().raised() == next) {
            lifecycle.updateRequests(Requests::started);
            // From the close on no process serves the user.
            lifecycle.update(state -> state.requested(closed.since()));
            pool.send(lifecycle.userId(), next, taskId);
            lifecycle.become(new Claimed(now, now.plus(WorkerPolicies.CLAIM_ANSWER), taskId));
        } else {
            // Redis knew a higher epoch: the successor was reserved for another one.
            start.begin();
        }
    }

    private void retry(Duration pause) {
        Instant later = WorkflowTasks.now().plus(pause);
        lifecycle.updateHandOver(request -> Objects.requireNonNull(request).withTryAt(later));
    }
}
