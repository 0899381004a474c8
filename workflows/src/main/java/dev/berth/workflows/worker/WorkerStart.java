package dev.berth.workflows.worker;

import dev.berth.workflows.Changes;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.Pauses;
import dev.berth.workflows.Waiting;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolClaims;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.LiveWorker.Origin;
import io.temporal.api.enums.v1.RetryState;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** From "this user needs a worker" to a process that has answered: adopted, claimed from the pool, or launched. */
final class WorkerStart {
    /** Names a change of this code in histories. */
    private static final String SILENCE_IS_NO_PROOF = "silence-is-no-proof";

    private static final String RESTORES_AT_REST = "restores-epoch-at-rest";
    private static final String HEARS_WHO_ATTACHED = "hears-who-attached";

    private final FleetSwitches fleet = Workflow.newLocalActivityStub(FleetSwitches.class, WorkerPolicies.quick());
    private final PoolClaims pool = Workflow.newLocalActivityStub(PoolClaims.class, WorkerPolicies.quick());
    private final Pauses pauses = new Pauses(WorkerPolicies.FIRST_PAUSE, WorkerPolicies.LONGEST_PAUSE);
    private final Lifecycle at;
    private final Graveyard graveyard;
    private boolean hasWorkingOrders;
    /** When the worker was asked for that no launch could start; it still is. */
    private @Nullable Instant withoutTaskSince;

    WorkerStart(Lifecycle at, Graveyard graveyard) {
        this.at = at;
        this.graveyard = graveyard;
    }

    /** Its launch goes before that of users without such orders. */
    void forWorkingOrders(boolean some) {
        hasWorkingOrders |= some;
    }

    /** Reserves a pool worker and sends it the claim, else asks for a task; suspended: does nothing more. */
    void begin() {
        if (takeOver()) {
            return;
        }
        readFleetSwitch();
        if (!at.worker().isWanted()) {
            return;
        }
        // Raised already when the last one was given up; an epoch that no process has is not wasted.
        if (at.worker().raised() == at.worker().epoch()) {
            at.raiseEpoch();
        } else if (Changes.isMade(RESTORES_AT_REST)) {
            // Else Redis, if it lost its data since, would keep every process out.
            at.keepEpoch();
        }
        Instant now = Lifecycle.now();
        Instant asked = at.worker().status() instanceof WorkerStatus.BackingOff ? withoutTaskSince : null;
        at.put(at.worker().requested(asked == null ? now : asked));
        withoutTaskSince = null;
        at.become(
                pool.claim(at.userId(), at.worker().epoch())
                        ? new WorkerStatus.Claimed(now, now.plus(WorkerPolicies.CLAIM_ANSWER))
                        : new WorkerStatus.Launching(now, now.plus(WorkerPolicies.LAUNCH_TURN), null));
    }

    /** Whoever begins later than all were told reads it for itself. */
    void readFleetSwitch() {
        // Read first: what is said meanwhile must not be overwritten by the state of before.
        FleetSwitch now = fleet.read();
        at.put(at.worker().wanting(at.worker().desired().in(now)));
    }

    /**
     * A new lifecycle keeps the process that an earlier one started, if it lives, and gives out no epoch again.
     *
     * @return whether there is such a process
     */
    boolean takeOver() {
        if (at.worker().raised() > 0) {
            return false;
        }
        long stored = at.storedEpoch();
        if (stored > 0) {
            if (adopt(null)) {
                return true;
            }
            at.put(at.worker().raised(stored).requested(Lifecycle.now()));
        }
        return false;
    }

    /**
     * Keeps a process that serves the user already, though this lifecycle knows nothing of it. While a mark is kept, or
     * nobody can say, it is asked again, for as long as a silent worker is borne with: its silence alone proves nothing.
     *
     * @param taskArn its task, if it is known
     */
    boolean adopt(@Nullable String taskArn) {
        WorkerProcess answer = whoServes(taskArn);
        if (answer == null || at.storedEpoch() > answer.epoch()) {
            // There is none; or it was given up, and ends by itself.
            return false;
        }
        at.put(at.worker().raised(answer.epoch()).requested(Lifecycle.now()));
        at.restoreEpoch();
        at.connecting(new LiveWorker(answer, Origin.ADOPTED, List.of()), 1, null);
        if (isCareful()) {
            // All may have been suspended while nobody looked after it.
            readFleetSwitch();
        }
        return true;
    }

    private @Nullable WorkerProcess whoServes(@Nullable String taskArn) {
        Instant hung = Lifecycle.now().plus(WorkerPolicies.HUNG);
        WorkerProcess answer = attach(WorkerControl.ANY_EPOCH, WorkerPolicies.CLAIM_ANSWER, () -> hasEnded(taskArn));
        while (answer == null
                && isCareful()
                && mayLive(taskArn)
                && Lifecycle.now().isBefore(hung)) {
            Waiting.until(
                    WorkerPolicies.ASK_AGAIN, "then ask the process that has the mark again", () -> hasEnded(taskArn));
            answer = attach(WorkerControl.ANY_EPOCH, WorkerPolicies.CLAIM_ANSWER, () -> hasEnded(taskArn));
        }
        return answer;
    }

    private boolean mayLive(@Nullable String taskArn) {
        return !hasEnded(taskArn) && at.mark() != WorkerMarks.Mark.GONE;
    }

    /** A run that began before does as it did, so that its history replays. */
    static boolean isCareful() {
        return care() > Workflow.DEFAULT_VERSION;
    }

    /** Likewise. */
    static boolean mindsLostStarts() {
        return care() > 1;
    }

    private static int care() {
        return Workflow.getVersion(SILENCE_IS_NO_PROOF, Workflow.DEFAULT_VERSION, 2);
    }

    private boolean hasEnded(@Nullable String taskArn) {
        return taskArn != null && at.hasStopped(taskArn);
    }

    /** Waits for the process that took the claim; without one the claim is void and a task is asked for. */
    void awaitClaim() {
        WorkerProcess answer = awaitProcess(WorkerPolicies.CLAIM_ANSWER, null);
        if (answer != null) {
            arrived(answer, Origin.CLAIM);
            return;
        }
        refillPool();
        at.voidEpoch();
        at.put(at.worker().requested(Objects.requireNonNullElseGet(at.worker().requestedAt(), Lifecycle::now)));
        Instant now = Lifecycle.now();
        at.become(new WorkerStatus.Launching(now, now.plus(WorkerPolicies.LAUNCH_TURN), null));
    }

    /** Runs a task and waits for its process. */
    void launch() {
        WorkerTasks tasks = Workflow.newActivityStub(WorkerTasks.class, WorkerPolicies.run(hasWorkingOrders));
        String task;
        try {
            task = tasks.run(at.userId(), at.worker().epoch(), clientToken());
        } catch (ActivityFailure failure) {
            Throwable cause = failure.getCause();
            if (!(cause instanceof CanceledFailure)) {
                // Meanwhile a pool worker may have become idle.
                withoutTaskSince = at.worker().requestedAt();
                boolean hasPaused = failure.getRetryState() == RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED;
                backOff(
                        "No task could be run: " + (cause == null ? "no reason given" : cause.getMessage()),
                        hasPaused ? Duration.ZERO : pauses.next());
            }
            return;
        }
        Instant now = Lifecycle.now();
        at.become(new WorkerStatus.Launching(now, now.plus(WorkerPolicies.LAUNCH_ANSWER), task));
        WorkerProcess answer = awaitProcess(WorkerPolicies.LAUNCH_ANSWER, task);
        if (answer != null) {
            arrived(answer, Origin.COLD);
        } else if (at.worker().isWanted()) {
            String why = at.hasStopped(task) ? "it stopped before it answered" : "it did not answer in time";
            graveyard.stop(at.worker().epoch(), task, "the launch failed: " + why);
            at.clearMark();
            backOff("A task was run, but " + why + ".", pauses.next());
        }
    }

    private void arrived(WorkerProcess process, Origin origin) {
        pauses.reset();
        hasWorkingOrders = false;
        at.connecting(new LiveWorker(process, origin, List.of()), 1, null);
    }

    private void backOff(String why, Duration pause) {
        Instant now = Lifecycle.now();
        at.become(new WorkerStatus.BackingOff(now, now.plus(pause), why));
    }

    /**
     * A process says by itself that it serves, which is quicker than to ask it. One that is silent is asked all the same:
     * its word may be lost, it may be of a version that says nothing, or a new host still pulls its image.
     *
     * @return null when none served in time, or the task whose process it would be died, or nobody wants it any more
     */
    private @Nullable WorkerProcess awaitProcess(Duration patience, @Nullable String taskArn) {
        long epoch = at.worker().epoch();
        if (!hearsWhoAttached()) {
            return attach(epoch, patience, () -> hasEnded(taskArn));
        }
        Supplier<Boolean> known = () -> at.attached() != null || hasEnded(taskArn);
        Duration silence = WorkerPolicies.silence(patience);
        WorkerProcess answer = Waiting.until(silence, "then ask the process whether it serves", known)
                ? null
                : attach(epoch, patience.minus(silence), known);
        return answer == null ? at.attached() : answer;
    }

    /** A run that began before asks at once, so that its history replays. */
    static boolean hearsWhoAttached() {
        return Changes.isMade(HEARS_WHO_ATTACHED);
    }

    /** Null when nobody answered in time, or it need not be known any more. */
    private @Nullable WorkerProcess attach(long epoch, Duration patience, Supplier<Boolean> known) {
        WorkerControl control =
                Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.attach(at.userId(), patience));
        List<Promise<WorkerProcess>> asked = new ArrayList<>(1);
        CancellationScope asking =
                Workflow.newCancellationScope(() -> asked.add(Async.function(control::attach, epoch)));
        asking.run();
        Promise<WorkerProcess> answer = asked.getFirst();
        Workflow.await(() -> answer.isCompleted() || known.get());
        if (!answer.isCompleted()) {
            asking.cancel("it is known already");
            return null;
        }
        return answer.getFailure() == null ? answer.get() : null;
    }

    static void refillPool() {
        try {
            Workflow.newExternalWorkflowStub(PoolWorkflow.class, WorkflowIds.POOL)
                    .refill();
        } catch (SignalExternalWorkflowException noPool) {
            // Without a pool there is nothing to refill.
        }
    }

    /** The same for every retry of this launch, another one for every other. */
    private String clientToken() {
        String launch = at.userId() + ":" + at.worker().epoch() + ":"
                + Workflow.getInfo().getFirstExecutionRunId();
        return Hashes.sha256(launch).substring(0, 32);
    }
}
