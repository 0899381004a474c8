package dev.berth.workflows.worker;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.Pauses;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.pool.PoolClaims;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.WorkerState.Origin;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares what is wanted with what is there, and does the one thing that is missing. */
public final class WorkerLifecycleWorkflowImpl implements WorkerLifecycleWorkflow {
    private final WorkerMarks marks = Workflow.newLocalActivityStub(WorkerMarks.class, WorkerPolicies.quick());
    private final PoolClaims pool = Workflow.newLocalActivityStub(PoolClaims.class, WorkerPolicies.quick());
    private final AccountCredentials credentials =
            Workflow.newLocalActivityStub(AccountCredentials.class, WorkerPolicies.quick());
    private final WorkerTasks launching = Workflow.newActivityStub(WorkerTasks.class, WorkerPolicies.run());
    private final WorkerTasks stopping = Workflow.newActivityStub(WorkerTasks.class, WorkerPolicies.stop());
    private final UserId userId;
    private final Epochs epochs;
    private WorkerState worker;
    /** The task that was launched and has not answered; its death ends the wait for it. */
    private @Nullable String expectedTask;
    /** The last task whose end was told; that may come before the answer of the call that started it. */
    private @Nullable String lastStopped;
    /** Why the current process is dead, once somebody said so. */
    private @Nullable String death;

    private boolean doubted;
    private int signals;
    private final Pauses pauses = new Pauses(WorkerPolicies.FIRST_PAUSE, WorkerPolicies.LONGEST_PAUSE);

    @WorkflowInit
    public WorkerLifecycleWorkflowImpl(WorkerState worker) {
        this.worker = worker;
        this.userId = worker.userId();
        this.epochs = new Epochs(marks, userId);
    }

    @Override
    public void run(WorkerState input) {
        // Whoever cancels the workflow itself, as the Web UI can, wants the worker stopped; the workflow lives on.
        CancellationScope.current().getCancellationRequest().thenApply(_ -> worker = worker.wanted(false, null));
        Workflow.newDetachedCancellationScope(this::live).run();
    }

    private void live() {
        while (true) {
            if (death != null) {
                bury(death);
            } else if (isLong()) {
                Workflow.continueAsNew(worker);
            } else if (worker.wanted() && worker.process() == null) {
                start();
            } else if (!worker.wanted() && worker.process() != null) {
                close();
            } else if (worker.phase() == WorkerPhase.RECONNECTING) {
                // Wanted no more while the next one was being awaited.
                change(worker.in(WorkerPhase.TERMINATED, null, now()));
            } else if (doubted) {
                lookAfter();
            } else {
                Workflow.await(this::hasWork);
            }
        }
    }

    @Override
    public void ensure(AccountKey account) {
        signals++;
        worker = worker.wanted(true, account);
        doubted = worker.phase() == WorkerPhase.ACTIVE;
    }

    @Override
    public void stop(String reason) {
        signals++;
        worker = worker.wanted(false, null);
    }

    @Override
    public void taskStopped(String taskArn, String reason) {
        signals++;
        WorkerProcess process = worker.process();
        if (taskArn.equals(expectedTask) || (process != null && taskArn.equals(process.taskArn()))) {
            death = reason;
        }
        lastStopped = taskArn;
    }

    @Override
    public WorkerState state() {
        return worker;
    }

    private boolean hasWork() {
        return death != null || doubted || isLong() || worker.wanted() != (worker.process() != null);
    }

    private boolean isLong() {
        return signals >= WorkerPolicies.SIGNALS_PER_RUN || Workflow.getInfo().isContinueAsNewSuggested();
    }

    /** From the pool if it can be had there at once, else by ECS; one of the two, or a later round, succeeds. */
    private void start() {
        boolean claimed = claim();
        if (!claimed) {
            launch();
        }
        if (worker.process() != null) {
            connect();
        }
        if (claimed) {
            refillPool();
        }
    }

    /** True when a pool worker was asked for, though it may not have answered: then the pool is one short anyway. */
    private boolean claim() {
        nextEpoch();
        if (!pool.claim(userId, worker.epoch())) {
            return false;
        }
        change(worker.in(WorkerPhase.CLAIMED, null, now()));
        WorkerProcess answer = attach(WorkerPolicies.CLAIM_ANSWER);
        if (answer != null) {
            worker = worker.attached(answer, Origin.CLAIM);
            return true;
        }
        refillPool();
        long voidEpoch = worker.epoch();
        nextEpoch();
        // A late taker may have marked itself; it has no session, and its mark would keep the next worker out.
        marks.clear(userId, voidEpoch);
        return false;
    }

    private void launch() {
        change(worker.in(WorkerPhase.LAUNCHING, null, now()));
        String task = launching.run(userId, worker.epoch(), clientToken());
        expectedTask = task;
        if (task.equals(lastStopped)) {
            death = "it stopped at once";
        }
        WorkerProcess answer = attach(WorkerPolicies.LAUNCH_ANSWER);
        expectedTask = null;
        if (answer != null) {
            worker = worker.attached(answer, Origin.COLD);
            return;
        }
        String why = death == null ? "it did not answer in time" : death;
        death = null;
        stopping.stop(task, "the launch failed: " + why);
        marks.clear(userId, worker.epoch());
        backOff("A task was started but " + why + "; the next is started soon.");
    }

    /** Null when nobody answered in time, or the task that should answer died. */
    private @Nullable WorkerProcess attach(Duration patience) {
        WorkerControl control = Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.attach(userId, patience));
        List<Promise<WorkerProcess>> asked = new ArrayList<>(1);
        CancellationScope asking =
                Workflow.newCancellationScope(() -> asked.add(Async.function(control::attach, worker.epoch())));
        asking.run();
        Promise<WorkerProcess> answer = asked.getFirst();
        Workflow.await(() -> answer.isCompleted() || death != null);
        if (!answer.isCompleted()) {
            asking.cancel("the task is gone");
            return null;
        }
        return answer.getFailure() == null ? answer.get() : null;
    }

    private void connect() {
        change(worker.in(WorkerPhase.CONNECTING, null, now()));
        WorkerProcess process = Objects.requireNonNull(worker.process());
        AccountKey account = Objects.requireNonNull(worker.account());
        try {
            SealedCredentials sealed = credentials.seal(userId, account, process.publicKey());
            Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.openSession(userId))
                    .openSession(worker.epoch(), sealed);
            pauses.reset();
            change(worker.in(WorkerPhase.ACTIVE, null, now()));
        } catch (ActivityFailure failure) {
            remove("its session could not be opened");
            if (failure.getCause() instanceof ApplicationFailure refused && refused.isNonRetryable()) {
                worker = worker.wanted(false, null);
                change(worker.in(WorkerPhase.FAILED, refused.getOriginalMessage(), now()));
            } else {
                backOff("The broker session could not be opened; a new worker is started soon.");
            }
        }
    }

    /** Somebody waits for a worker that should be there: its mark says that it is, or it says so itself. */
    private void lookAfter() {
        doubted = false;
        if (worker.phase() != WorkerPhase.ACTIVE || marks.isMarked(userId)) {
            return;
        }
        try {
            Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.ping(userId))
                    .ping(worker.epoch());
            // It lives without a mark: Redis lost its data. With the epoch back, the worker marks itself again.
            marks.raiseEpoch(userId, worker.epoch());
        } catch (ActivityFailure silent) {
            death = "its mark ran out and it did not answer";
        }
    }

    /** A new process is started only after ECS has said that the old one is stopped: two could send. */
    private void bury(String why) {
        change(worker.died().in(WorkerPhase.RECONNECTING, why, now()));
        remove(why);
    }

    private void close() {
        change(worker.in(WorkerPhase.DRAINING, null, now()));
        try {
            Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.closeSession(userId))
                    .closeSession(worker.epoch());
        } catch (ActivityFailure silent) {
            // It is stopped in any case; a process that is gone has closed its sessions.
        }
        remove("stopped as wanted");
        change(worker.in(WorkerPhase.TERMINATED, null, now()));
    }

    /** Every stop makes a task-stopped event of its own; once the process is removed, that is no news. */
    private void remove(String why) {
        stopping.stop(Objects.requireNonNull(worker.process()).taskArn(), why);
        marks.clear(userId, worker.epoch());
        worker = worker.withoutProcess();
        // Whatever was said of this process has been seen to; the next one is not meant.
        death = null;
    }

    private void nextEpoch() {
        worker = worker.requested(epochs.after(worker.epoch()), now());
    }

    private void backOff(String why) {
        change(worker.in(WorkerPhase.RECONNECTING, why, now()));
        Workflow.await(pauses.next(), () -> !worker.wanted());
    }

    private void refillPool() {
        try {
            Workflow.newExternalWorkflowStub(PoolWorkflow.class, WorkflowIds.POOL)
                    .refill();
        } catch (SignalExternalWorkflowException noPool) {
            // Without a pool there is nothing to refill.
        }
    }

    /** The same for every retry of this launch, another one for every other. */
    private String clientToken() {
        String launch = userId + ":" + worker.epoch() + ":" + Workflow.getInfo().getFirstExecutionRunId();
        return Hashes.sha256(launch).substring(0, 32);
    }

    private void change(WorkerState next) {
        if (next.phase() != worker.phase()) {
            Workflow.upsertTypedSearchAttributes(
                    BerthSearchAttributes.WORKER_STATE.valueSet(next.phase().name()));
        }
        worker = next;
        Workflow.setCurrentDetails(worker.details());
    }

    private static Instant now() {
        return Instant.ofEpochMilli(Workflow.currentTimeMillis());
    }
}
