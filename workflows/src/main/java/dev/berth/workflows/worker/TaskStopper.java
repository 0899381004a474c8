package dev.berth.workflows.worker;

import dev.berth.workflows.TimedAwait;
import dev.berth.workflows.worker.WorkerState.TaskEvents.ReportedStop;
import dev.berth.workflows.worker.WorkerState.UnconfirmedStop;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stops tasks, and learns that they stopped. A task that nothing proves to be dead is remembered:
 * its process may still send the order that it had in hand.
 */
final class TaskStopper {
    private final WorkerTasks stopping = Workflow.newActivityStub(WorkerTasks.class, WorkerPolicies.stop());
    private final WorkerTasks tasks = Workflow.newLocalActivityStub(WorkerTasks.class, WorkerPolicies.quick());
    private final WorkerHeartbeats heartbeats =
            Workflow.newLocalActivityStub(WorkerHeartbeats.class, WorkerPolicies.quick());
    private final Lifecycle lifecycle;

    TaskStopper(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /** Continues the stops that the previous run did not finish. */
    void resumeStops() {
        for (UnconfirmedStop worker : lifecycle.state().unconfirmedStops()) {
            // A lost task is not asked for again: ECS would not know it, and that would count as a
            // proof.
            if (!worker.isLost()) {
                untilConfirmed(worker.taskArn(), "replaced");
            }
        }
    }

    /**
     * Stops the task and waits until ECS proves that it stopped, but no longer than its lease can
     * last. After that the process is fenced, and remembered until the proof comes.
     */
    void stop(long epoch, String taskArn, String why, Duration lease) {
        confirmReported(taskArn);
        if (hasStopped(taskArn)) {
            return;
        }
        Promise<Void> stop = untilConfirmed(taskArn, why);
        Duration patience = lease.compareTo(WorkerPolicies.STOP_PROOF) < 0 ? WorkerPolicies.STOP_PROOF : lease;
        Supplier<Boolean> confirmed = () -> (stop.isCompleted() && stop.getFailure() == null) || hasStopped(taskArn);
        if (!TimedAwait.until(patience, "then its lease has surely run out", confirmed)) {
            boolean isLost = stop.isCompleted();
            lifecycle.update(state -> state.withUnconfirmedStop(new UnconfirmedStop(epoch, taskArn, isLost)));
        }
    }

    /** Stops the task that the lifecycle did not know, unless it was adopted since. */
    void stopUnexpectedTask() {
        takeUnexpectedTask()
                .filter(task -> !lifecycle.isCurrent(task.taskArn()))
                .ifPresent(task -> stop(
                        task.epoch(), task.taskArn(), "another worker serves this user", WorkerHeartbeats.LEASE_OVER));
    }

    /**
     * The task that was found, once. Empty when it serves another user, as a person may type it: it
     * is not this lifecycle's to stop.
     */
    Optional<UnconfirmedStop> takeUnexpectedTask() {
        UnconfirmedStop task = Objects.requireNonNull(lifecycle.requests().unexpectedTask());
        lifecycle.updateRequests(requests -> requests.withUnexpectedTask(null));
        return heartbeats.isOfAnother(lifecycle.userId(), task.taskArn()) ? Optional.empty() : Optional.of(task);
    }

    /**
     * Stops the task of a process that has closed its sessions and given up its lease, as it says
     * itself. Until ECS proves its end it is remembered: an order that it could not finish waits
     * for that proof.
     */
    void stopClosed(long epoch, String taskArn, String why) {
        if (!hasStopped(taskArn)) {
            lifecycle.update(state -> state.withUnconfirmedStop(new UnconfirmedStop(epoch, taskArn)));
            untilConfirmed(taskArn, why);
        }
    }

    /**
     * The promise fails when ECS lost sight of a process that may still run: its stop stays
     * unconfirmed.
     */
    private Promise<Void> untilConfirmed(String taskArn, String why) {
        return Async.procedure(() -> {
            try {
                stopping.stop(taskArn, why);
            } catch (ActivityFailure withoutProof) {
                lifecycle.update(state -> state.withLostTask(taskArn));
                throw withoutProof;
            }
            lifecycle.update(state -> state.withConfirmedStop(taskArn));
        });
    }

    /**
     * Takes an event that a task stopped. It counts once ECS itself proves it.
     *
     * @return what ECS says; null for a task that this lifecycle does not know yet
     */
    @Nullable
    TaskDeath reportStop(String taskArn, String reason) {
        if (isKnown(taskArn)) {
            return confirmStop(taskArn, reason);
        }
        lifecycle.updateTasks(tasks -> tasks.addReported(taskArn, reason));
        return null;
    }

    private boolean isKnown(String taskArn) {
        return lifecycle.isCurrent(taskArn)
                || (lifecycle.status() instanceof WorkerStatus.Launching launching
                        && taskArn.equals(launching.taskArn()))
                || lifecycle.state().unconfirmedStops().stream()
                        .anyMatch(stop -> stop.taskArn().equals(taskArn));
    }

    /** Confirms what an event reported of the task before the lifecycle knew it. */
    void confirmReported(String taskArn) {
        Optional<ReportedStop> reported = lifecycle.tasks().reported().stream()
                .filter(stop -> stop.taskArn().equals(taskArn))
                .findFirst();
        lifecycle.updateTasks(tasks -> tasks.withoutReported(taskArn));
        reported.ifPresent(stop -> confirmStop(taskArn, stop.reason()));
    }

    /** How much longer to wait for a task that was launched and does not answer. */
    Duration startTimeLeft(String taskArn) {
        return tasks.startTimeLeft(taskArn, WorkerPolicies.LAUNCH_ANSWER);
    }

    TaskDeath confirmStop(String taskArn, String reason) {
        TaskDeath death = tasks.death(taskArn);
        switch (death) {
            case PROVEN -> stopped(taskArn, reason);
            case UNCONFIRMED -> {
                if (lifecycle.isCurrent(taskArn)) {
                    lifecycle.suspectDeath(reason + "; ECS has no proof that its process ended");
                }
            }
            case ALIVE -> {
                // The event is early, or forged. The heartbeat tells.
            }
        }
        return death;
    }

    private void stopped(String taskArn, String reason) {
        lifecycle.updateTasks(tasks -> tasks.addStopped(taskArn));
        lifecycle.update(state -> state.withConfirmedStop(taskArn));
        if (lifecycle.isCurrent(taskArn)) {
            lifecycle.updateHealth(health -> health.withDeath(reason));
        }
    }

    /** Whether ECS has proven that the task stopped. */
    boolean hasStopped(String taskArn) {
        return lifecycle.tasks().stopped().contains(taskArn);
    }

    /** Whether ECS says so; what the process says of itself does not count. */
    boolean isWorkerOfUser(String taskArn) {
        return tasks.isWorkerOf(taskArn, lifecycle.userId());
    }
}
