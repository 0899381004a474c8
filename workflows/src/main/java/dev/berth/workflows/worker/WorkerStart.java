package dev.berth.workflows.worker;

import dev.berth.workflows.Hashes;
import dev.berth.workflows.TimedAwait;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.pool.PoolClaims;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.LiveWorker.Origin;
import dev.berth.workflows.worker.WorkerState.StartAttempts;
import dev.berth.workflows.worker.WorkerState.TaskEvents;
import dev.berth.workflows.worker.WorkerStatus.BackingOff;
import dev.berth.workflows.worker.WorkerStatus.Claimed;
import dev.berth.workflows.worker.WorkerStatus.Connecting;
import dev.berth.workflows.worker.WorkerStatus.Launching;
import io.temporal.api.enums.v1.RetryState;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Promise;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * From a user who needs a worker to a process that has answered: claimed from the pool, or
 * launched.
 */
final class WorkerStart {
    private final FleetSwitches fleet = Workflow.newLocalActivityStub(FleetSwitches.class, WorkerPolicies.quick());
    private final PoolClaims pool = Workflow.newLocalActivityStub(PoolClaims.class, WorkerPolicies.quick());
    private final Lifecycle lifecycle;
    private final WorkerEpoch epoch;
    private final TaskStopper stopper;
    private final Waits waits;

    WorkerStart(Lifecycle lifecycle, WorkerEpoch epoch, TaskStopper stopper, Waits waits) {
        this.lifecycle = lifecycle;
        this.epoch = epoch;
        this.stopper = stopper;
        this.waits = waits;
    }

    /**
     * Reserves a pool worker and sends it the claim, else asks for a task; suspended: does nothing
     * more.
     */
    void begin() {
        readFleetSwitch();
        if (!lifecycle.state().isWanted()) {
            return;
        }
        // Raised already when the last worker was given up; an epoch that no process has is not
        // wasted.
        if (lifecycle.state().raised() == lifecycle.state().epoch()) {
            epoch.raise();
        } else {
            // Else a Redis that lost its data since would keep every process out.
            epoch.reuse();
        }
        Instant now = WorkflowTasks.now();
        Instant asked =
                lifecycle.status() instanceof BackingOff ? lifecycle.starts().requestedAt() : null;
        lifecycle.update(state -> state.requested(asked == null ? now : asked));
        lifecycle.updateStarts(starts -> starts.withRequestedAt(null));
        String reserved = pool.claim(lifecycle.userId(), lifecycle.state().epoch());
        lifecycle.become(
                reserved == null
                        ? new Launching(now, now.plus(WorkerPolicies.LAUNCH_TURN), null)
                        : new Claimed(now, now.plus(WorkerPolicies.CLAIM_ANSWER), reserved));
    }

    /**
     * A lifecycle that begins after a suspension of all was signaled reads the switch for itself.
     * What is stored counts, even against a signal with a higher version, as a person may type it,
     * but not against one that came while it was read.
     */
    void readFleetSwitch() {
        FleetSwitch before = lifecycle.state().desired().fleet();
        FleetSwitch stored = fleet.read();
        lifecycle.update(state -> state.withDesired(
                state.desired().fleet().equals(before)
                        ? state.desired().withFleet(stored)
                        : state.desired().in(stored)));
    }

    /**
     * Waits for the process that has the claim; without one the claim is void, its worker retired,
     * and a task is asked for.
     */
    void awaitClaim() {
        WorkerProcess answer = awaitProcess(WorkerPolicies.CLAIM_ANSWER, null);
        if (answer != null) {
            arrived(answer, Origin.CLAIM);
            return;
        }
        WorkerMetrics.claimVoid();
        if (lifecycle.status() instanceof Claimed claimed
                && pool.retireUnanswered(lifecycle.userId(), lifecycle.state().epoch(), claimed.taskId())) {
            WorkerMetrics.workerRetired();
        }
        refillPool(lifecycle);
        epoch.revoke();
        lifecycle.update(
                state -> state.requested(Objects.requireNonNullElseGet(state.requestedAt(), WorkflowTasks::now)));
        Instant now = WorkflowTasks.now();
        lifecycle.become(new Launching(now, now.plus(WorkerPolicies.LAUNCH_TURN), null));
    }

    /** Runs a task and waits for its process. */
    void launch() {
        String task;
        try {
            task = runTask();
        } catch (ActivityFailure failure) {
            // Meanwhile a pool worker may have become idle.
            lifecycle.updateStarts(
                    starts -> starts.withRequestedAt(lifecycle.state().requestedAt()));
            boolean hasPaused = failure.getRetryState() == RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED;
            Throwable cause = failure.getCause();
            String why = cause == null ? "no reason given" : String.valueOf(cause.getMessage());
            backOff("No task could be run: " + why, hasPaused ? Duration.ZERO : nextPause());
            return;
        }
        Instant now = WorkflowTasks.now();
        lifecycle.become(new Launching(now, now.plus(WorkerPolicies.LAUNCH_ANSWER), task));
        stopper.confirmReported(task);
        WorkerProcess answer = awaitProcess(WorkerPolicies.LAUNCH_ANSWER, task);
        while (answer == null && !stopper.hasStopped(task)) {
            Duration left = stopper.startTimeLeft(task);
            Instant until = WorkflowTasks.now().plus(left);
            if (!left.isPositive() || until.isAfter(now.plus(WorkerPolicies.SCALE_OUT))) {
                break;
            }
            lifecycle.become(new Launching(now, until, task));
            answer = awaitProcess(left, task);
        }
        if (answer != null) {
            arrived(answer, Origin.COLD);
        } else {
            String why = stopper.hasStopped(task) ? "it stopped before it answered" : "it did not answer in time";
            long launched = lifecycle.state().epoch();
            stopper.stop(launched, task, "the launch failed: " + why, WorkerHeartbeats.LEASE_OVER);
            if (lifecycle.state().isWanted()) {
                epoch.deleteHeartbeatKey();
            } else {
                // Without a next start no other epoch keeps the process out.
                epoch.revoke();
            }
            backOff("A task was run, but " + why + ".", nextPause());
        }
    }

    private String runTask() {
        WorkerTasks tasks = Workflow.newActivityStub(WorkerTasks.class, WorkerPolicies.run(lifecycle.starts()));
        long launched = lifecycle.state().epoch();
        String token = clientToken();
        return waits.call(() -> tasks.run(lifecycle.userId(), launched, token));
    }

    private void arrived(WorkerProcess process, Origin origin) {
        lifecycle.updateStarts(StartAttempts::succeeded);
        connect(new LiveWorker(process, origin, List.of()));
    }

    /**
     * The process answered: its sessions come next. Events of the previous process are forgotten.
     */
    void connect(LiveWorker worker) {
        String taskArn = worker.process().taskArn();
        lifecycle.updateTasks(TaskEvents::withoutAttached);
        stopper.confirmReported(taskArn);
        String death = stopper.hasStopped(taskArn) ? "it stopped at once" : null;
        lifecycle.updateHealth(health -> health.withDeath(death));
        Instant now = WorkflowTasks.now();
        lifecycle.become(new Connecting(now, now.plus(WorkerPolicies.OPEN_SESSION), worker, 1, null));
    }

    private Duration nextPause() {
        lifecycle.updateStarts(StartAttempts::failed);
        return WorkerPolicies.launchPause(lifecycle.starts().failures());
    }

    private void backOff(String why, Duration pause) {
        Instant now = WorkflowTasks.now();
        lifecycle.become(new BackingOff(now, now.plus(pause), why));
    }

    /**
     * Keeps what a process reports until its task is known to be the one that was reserved or
     * launched.
     */
    void attached(WorkerProcess process) {
        if (process.epoch() >= lifecycle.state().epoch()) {
            lifecycle.updateTasks(tasks -> tasks.addAttached(process));
        }
    }

    /**
     * The process of the task that was reserved or launched, once it serves the current epoch; else
     * null.
     */
    private @Nullable WorkerProcess attached() {
        return lifecycle.tasks().attached().stream()
                .filter(this::isExpected)
                .findFirst()
                .orElse(null);
    }

    /** Whether the current start waits for this process. Any other may be an impostor. */
    private boolean isExpected(WorkerProcess process) {
        return process.epoch() == lifecycle.state().epoch()
                && switch (lifecycle.status()) {
                    case Claimed claimed -> TaskArns.id(process.taskArn()).equals(claimed.taskId());
                    case Launching launching -> process.taskArn().equals(launching.taskArn());
                    default -> false;
                };
    }

    /**
     * A process reports by itself that it serves, which is quicker than to ask it. A silent one is
     * asked all the same: the report may be lost, or a new host still pulls the image.
     *
     * @return null when none served in time, or the task whose process it would be died
     */
    private @Nullable WorkerProcess awaitProcess(Duration patience, @Nullable String taskArn) {
        long awaited = lifecycle.state().epoch();
        Supplier<Boolean> isKnown =
                () -> attached() != null || (taskArn != null && stopper.hasStopped(taskArn)) || waits.isCanceled();
        Duration silence = WorkerPolicies.silence(patience);
        WorkerProcess answer = TimedAwait.until(silence, "then ask the process whether it serves", isKnown)
                ? null
                : ask(awaited, patience.minus(silence), isKnown);
        WorkerProcess expected = answer != null && isExpected(answer) ? answer : attached();
        if (expected == null && waits.isCanceled()) {
            throw new Waits.StepCanceled();
        }
        return expected;
    }

    /** Null when no process answered in time, or the condition holds first. */
    @Nullable
    WorkerProcess ask(long awaited, Duration patience, Supplier<Boolean> condition) {
        WorkerControl control =
                Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.attach(lifecycle.userId(), patience));
        Promise<WorkerProcess> answer = Waits.callUntil(condition, () -> control.attach(awaited));
        return answer.isCompleted() && answer.getFailure() == null ? answer.get() : null;
    }

    static void refillPool(Lifecycle lifecycle) {
        UserGroup group = UserGroup.orDefault(lifecycle.starts().group());
        try {
            Workflow.newExternalWorkflowStub(PoolWorkflow.class, PoolNames.workflowId(group))
                    .refill();
        } catch (SignalExternalWorkflowException | ApplicationFailure noPool) {
            // Without a pool there is nothing to refill. The SDK makes the second of its absence.
        }
    }

    /** The same for every retry of this launch, another one for every other. */
    private String clientToken() {
        String launch = lifecycle.userId() + ":" + lifecycle.state().epoch() + ":"
                + Workflow.getInfo().getFirstExecutionRunId();
        return Hashes.sha256(launch).substring(0, 32);
    }
}
