package dev.berth.workflows.worker;

import dev.berth.workflows.Steps;
import dev.berth.workflows.Steps.Due;
import dev.berth.workflows.Steps.Step;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.worker.WorkerState.Requests;
import dev.berth.workflows.worker.WorkerState.UnconfirmedStop;
import dev.berth.workflows.worker.WorkerStatus.Active;
import dev.berth.workflows.worker.WorkerStatus.AwaitingStop;
import dev.berth.workflows.worker.WorkerStatus.Claimed;
import dev.berth.workflows.worker.WorkerStatus.Connecting;
import dev.berth.workflows.worker.WorkerStatus.Draining;
import dev.berth.workflows.worker.WorkerStatus.Failed;
import dev.berth.workflows.worker.WorkerStatus.HealthCheck;
import dev.berth.workflows.worker.WorkerStatus.Launching;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Compares the worker with what is wanted of it, and does the one thing that is missing. */
public final class WorkerLifecycleWorkflowImpl implements WorkerLifecycleWorkflow {
    private final Lifecycle lifecycle;
    private final TaskStopper stopper;
    private final WorkerStart start;
    private final WorkerSessions sessions;
    private final WorkerHealth health;
    private final StoppedWorker stopped;
    private final WorkerShutdown shutdown;
    private final WorkerHandOver change;
    private final AvailabilityPublisher availability;
    private final Steps steps;

    @WorkflowInit
    public WorkerLifecycleWorkflowImpl(WorkerState state) {
        this.lifecycle = new Lifecycle(state);
        WorkerEpoch epoch = new WorkerEpoch(lifecycle);
        Waits waits = new Waits(lifecycle);
        this.stopper = new TaskStopper(lifecycle);
        this.start = new WorkerStart(lifecycle, epoch, stopper, waits);
        this.sessions = new WorkerSessions(lifecycle, waits);
        this.health = new WorkerHealth(lifecycle, epoch, stopper, waits);
        this.stopped = new StoppedWorker(lifecycle, epoch, start, stopper);
        this.shutdown = new WorkerShutdown(lifecycle, epoch, stopper);
        this.change = new WorkerHandOver(lifecycle, epoch, start, stopper, shutdown);
        this.availability = new AvailabilityPublisher(lifecycle);
        this.steps = new Steps(steps());
    }

    @Override
    public void run(WorkerState input) {
        WorkflowIds.requireOwn(WorkflowIds.worker(input.userId()));
        // A cancellation of the workflow itself, as from the Web UI, stops the worker; the workflow
        // lives on.
        CancellationScope.current().getCancellationRequest().thenApply(reason -> {
            stop("the workflow was canceled");
            return reason;
        });
        Workflow.newDetachedCancellationScope(this::live).run();
    }

    private void live() {
        if (lifecycle.state().raised() > 0) {
            // The signal of a suspension of all may have met the end of the previous run.
            start.readFleetSwitch();
            stopper.resumeStops();
        }
        steps.runWhile(() -> true);
    }

    /** Everything that a lifecycle does, the most urgent first. */
    private List<Step> steps() {
        return List.of(
                new Step(availability::dueAt, availability::publish),
                // A start.
                Step.when(() -> isStarting() && !mayServe(), shutdown::undo),
                in(Claimed.class, () -> Waits.untilCanceled(start::awaitClaim)),
                in(Launching.class, () -> Waits.untilCanceled(start::launch)),
                in(Connecting.class, this::connect),
                // An end.
                Step.when(() -> isServing() && lifecycle.health().death() != null, shutdown::giveUp),
                Step.when(() -> isServing() && !mayServe(), shutdown::drain),
                in(Draining.class, () -> shutdown.close((Draining) lifecycle.status())),
                in(AwaitingStop.class, () -> shutdown.awaitStop((AwaitingStop) lifecycle.status())),
                // A worker that serves.
                in(HealthCheck.class, () -> Waits.untilCanceled(health::ask)),
                whileActive(lifecycle::isRunLong, lifecycle::continueAsNew),
                whileActive(this::isIdle, shutdown::drainIdle),
                whileActive(this::hasUnexpectedTask, stopper::stopUnexpectedTask),
                whileActive(sessions::reloadDueAt, () -> Waits.untilCanceled(sessions::reload)),
                whileActive(sessions::missingDueAt, () -> Waits.untilCanceled(sessions::openMissing)),
                whileActive(health::dueAt, () -> Waits.untilCanceled(health::check)),
                whileActive(change::dueAt, change::next),
                // No worker.
                whileStopped(stopped::mayServeUnwanted, stopped::findUnwanted),
                whileStopped(stopped::isStatusOutdated, stopped::reconcile),
                whileStopped(lifecycle::isRunLong, lifecycle::continueAsNew),
                whileStopped(this::hasUnexpectedTask, stopped::receiveUnexpectedTask),
                whileStopped(stopped::mayBeResumed, stopped::readFleetSwitch),
                whileStopped(stopped::startDueAt, stopped::start),
                new Step(lifecycle::attentionDueAt, lifecycle::showAttention));
    }

    private Step in(Class<? extends WorkerStatus> status, Runnable run) {
        return Step.when(() -> status.isInstance(lifecycle.status()), run);
    }

    private Step whileActive(BooleanSupplier isDue, Runnable run) {
        return Step.when(() -> lifecycle.status() instanceof Active && isDue.getAsBoolean(), run);
    }

    private Step whileActive(Due due, Runnable run) {
        return new Step(now -> lifecycle.status() instanceof Active ? due.at(now) : null, run);
    }

    private Step whileStopped(BooleanSupplier isDue, Runnable run) {
        return Step.when(() -> lifecycle.status().isStopped() && isDue.getAsBoolean(), run);
    }

    private Step whileStopped(Due due, Runnable run) {
        return new Step(now -> lifecycle.status().isStopped() ? due.at(now) : null, run);
    }

    private boolean mayServe() {
        return lifecycle.state().mayServe();
    }

    private boolean isStarting() {
        WorkerStatus status = lifecycle.status();
        return status instanceof Claimed || status instanceof Launching || status instanceof Connecting;
    }

    private boolean isServing() {
        return lifecycle.status() instanceof Active || lifecycle.status() instanceof HealthCheck;
    }

    private boolean isIdle() {
        return lifecycle.requests().idleEpoch() == lifecycle.state().epoch();
    }

    private boolean hasUnexpectedTask() {
        return lifecycle.requests().unexpectedTask() != null;
    }

    private void connect() {
        lifecycle.updateHealth(HealthRecord::ofNewProcess);
        lifecycle.updateRequests(requests -> requests.withStartRequestedWhileConnecting(false));
        Failed failed = null;
        try {
            failed = lifecycle.health().death() == null ? sessions.connect() : null;
        } catch (Waits.StepCanceled stoppedOrDead) {
            // The worker is given up below, or the next step undoes the start.
        } finally {
            // Not before: the start of a pool process takes from the machine what the user waits
            // for.
            if (lifecycle.live().origin() == LiveWorker.Origin.CLAIM) {
                WorkerStart.refillPool(lifecycle);
            }
        }
        if (failed != null) {
            shutdown.remove(lifecycle.live(), failed.reason());
            lifecycle.become(failed);
            if (lifecycle.requests().startRequestedWhileConnecting()) {
                lifecycle.updateRequests(Requests::forceStart);
            }
        } else if (lifecycle.health().death() != null && lifecycle.status() instanceof Connecting) {
            shutdown.giveUp();
        }
    }

    // ------------------------------------------------------------------ signals

    @Override
    public void ensure(WorkerNeed need) {
        want(lifecycle.state().desired().needed());
        if (!lifecycle.state().accounts().contains(need.account())) {
            // What held the other accounts back may not concern this one.
            requestStart();
        }
        lifecycle.update(state -> state.needing(need.account()));
        lifecycle.updateRequests(Requests::need);
        availability.repeatNotice();
        if (isIdle()) {
            // A worker that is still idle reports it again.
            lifecycle.updateRequests(requests -> requests.withIdleEpoch(0));
        }
        if (need.why() == WorkerNeed.Why.REQUEST) {
            boolean isStopped = lifecycle.status().worker() == null;
            lifecycle.updateRequests(
                    requests -> isStopped ? requests.forceStart() : requests.withStartRequestedWhileConnecting(true));
        }
        lifecycle.updateStarts(starts -> starts.withGroup(need.group()));
        if (need.why() == WorkerNeed.Why.WORKING_ORDER) {
            lifecycle.updateStarts(starts -> starts.withHasWorkingOrders(true));
        }
        lifecycle.updateHealth(HealthRecord::doubt);
    }

    @Override
    public void stop(@Nullable Object reason) {
        WorkerState state = lifecycle.state();
        want(state.desired().stopped(reason, state.epoch()));
    }

    @Override
    public void suspend(@Nullable Object reason) {
        want(lifecycle.state().desired().suspended(reason));
    }

    @Override
    public void resume() {
        want(lifecycle.state().desired().resumed());
    }

    @Override
    public void fleetSwitched(FleetSwitch now) {
        want(lifecycle.state().desired().in(now));
    }

    private void want(DesiredState desired) {
        lifecycle.update(state -> state.withDesired(desired));
        boolean mayConcernUnknown =
                lifecycle.state().raised() == 0 && (desired.suspended() != null || desired.reason() != null);
        lifecycle.updateRequests(requests -> requests.oneMoreSignal().withStopRequested(mayConcernUnknown));
    }

    @Override
    public void reloadCredentials(AccountKey account) {
        lifecycle.updateRequests(Requests::oneMoreSignal);
        sessions.reloadCredentials(account);
        requestStart();
    }

    /**
     * Start, though the last start failed for good: this one has other credentials, or another
     * account.
     */
    private void requestStart() {
        boolean hasFailed = lifecycle.status() instanceof Failed;
        lifecycle.updateRequests(
                requests -> hasFailed ? requests.forceStart() : requests.withStartRequestedWhileConnecting(true));
    }

    @Override
    public void attached(WorkerProcess process) {
        lifecycle.updateRequests(Requests::oneMoreSignal);
        start.attached(process);
    }

    @Override
    public void taskStopped(String taskArn, String reason) {
        lifecycle.updateRequests(Requests::oneMoreSignal);
        if (stopper.reportStop(taskArn, reason) == TaskDeath.ALIVE) {
            lifecycle.updateHealth(HealthRecord::doubt);
        }
    }

    @Override
    public void heartbeatExpired() {
        lifecycle.updateRequests(Requests::oneMoreSignal);
        lifecycle.updateHealth(HealthRecord::missHeartbeat);
    }

    @Override
    public void workerFound(long epoch, String taskArn) {
        lifecycle.updateRequests(Requests::oneMoreSignal);
        if (epoch < 1 || epoch > WorkerPolicies.MAX_EPOCH) {
            return;
        }
        if (lifecycle.isCurrent(taskArn)) {
            lifecycle.updateHealth(found -> found.withEpochLost(true));
        } else {
            UnconfirmedStop task = new UnconfirmedStop(epoch, taskArn);
            lifecycle.updateRequests(requests -> requests.withUnexpectedTask(task));
        }
    }

    @Override
    public void idle(long epoch) {
        lifecycle.updateRequests(requests -> requests.oneMoreSignal().withIdleEpoch(epoch));
    }

    @Override
    public void handOver(String taskArn, String reason) {
        lifecycle.updateRequests(Requests::oneMoreSignal);
        change.request(taskArn, reason);
    }

    @Override
    public WorkerState state() {
        return lifecycle.state();
    }
}
