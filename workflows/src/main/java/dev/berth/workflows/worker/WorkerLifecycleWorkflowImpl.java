package dev.berth.workflows.worker;

import dev.berth.workflows.Pauses;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.worker.WorkerStatus.Active;
import dev.berth.workflows.worker.WorkerStatus.BackingOff;
import dev.berth.workflows.worker.WorkerStatus.Burying;
import dev.berth.workflows.worker.WorkerStatus.Claimed;
import dev.berth.workflows.worker.WorkerStatus.Connecting;
import dev.berth.workflows.worker.WorkerStatus.Draining;
import dev.berth.workflows.worker.WorkerStatus.Failed;
import dev.berth.workflows.worker.WorkerStatus.HealthCheck;
import dev.berth.workflows.worker.WorkerStatus.Launching;
import dev.berth.workflows.worker.WorkerStatus.Suspended;
import dev.berth.workflows.worker.WorkerStatus.Terminated;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares what is wanted with what is there, and does the one thing that is missing. */
public final class WorkerLifecycleWorkflowImpl implements WorkerLifecycleWorkflow {
    private static final String IDLE = "no order for a while, and none works at the venue";

    private final Pauses crashPauses = new Pauses(WorkerPolicies.FIRST_CRASH_PAUSE, WorkerPolicies.LONGEST_CRASH_PAUSE);
    private final Lifecycle at;
    private final Graveyard graveyard;
    private final WorkerStart start;
    private final WorkerSessions sessions;
    private final WorkerHealth health;

    private int signals;
    /** Somebody needs the worker since it failed. */
    private boolean neededAgain;
    /** Somebody said so who may: what holds a start back is passed over. */
    private boolean atOnce;
    /** A worker that this lifecycle knows nothing of. */
    private WorkerState.@Nullable Unproven stranger;
    /** The epoch that said it is idle; 0 for none. */
    private long idleEpoch;
    /** The step that ends when the worker is wanted no more. */
    private @Nullable CancellationScope starting;

    @WorkflowInit
    public WorkerLifecycleWorkflowImpl(WorkerState worker) {
        this.at = new Lifecycle(worker);
        this.graveyard = new Graveyard(at);
        this.start = new WorkerStart(at, graveyard);
        this.sessions = new WorkerSessions(at);
        this.health = new WorkerHealth(at);
    }

    @Override
    public void run(WorkerState input) {
        // Whoever cancels the workflow itself, as the Web UI can, wants the worker stopped; the workflow lives on.
        CancellationScope.current().getCancellationRequest().thenApply(reason -> {
            stop("the workflow was canceled");
            return reason;
        });
        Workflow.newDetachedCancellationScope(this::live).run();
    }

    private void live() {
        graveyard.reopen();
        health.doubt();
        while (true) {
            switch (at.worker().status()) {
                case Terminated _, Suspended _, Failed _, BackingOff _ -> rest();
                case Claimed _ -> whileWanted(start::awaitClaim);
                case Launching _ -> whileWanted(start::launch);
                case Connecting _ -> whileWanted(this::connect);
                case Active _ -> attend();
                case HealthCheck check -> health.ask(check);
                case Draining draining -> close(draining);
                case Burying burying -> bury(burying.worker(), burying.reason());
            }
        }
    }

    // ------------------------------------------------------------------ what is said

    @Override
    public void ensure(WorkerNeed need) {
        want(at.worker().desired().needed());
        at.put(at.worker().needing(need.account()));
        neededAgain = true;
        atOnce |= need.why() == WorkerNeed.Why.REQUEST && heldUntil() != null;
        start.forWorkingOrders(need.why() == WorkerNeed.Why.WORKING_ORDER);
        health.doubt();
    }

    @Override
    public void stop(String reason) {
        want(at.worker().desired().stopped(reason));
    }

    @Override
    public void suspend(String reason) {
        want(at.worker().desired().suspended(reason));
    }

    @Override
    public void resume() {
        want(at.worker().desired().suspended(null));
    }

    @Override
    public void fleetSwitched(FleetSwitch now) {
        want(at.worker().desired().in(now));
    }

    @Override
    public void reloadCredentials(AccountKey account) {
        signals++;
        sessions.wantReload(account);
        atOnce |= at.worker().status() instanceof Failed;
    }

    @Override
    public void taskStopped(String taskArn, String reason) {
        signals++;
        at.stopped(taskArn, reason);
    }

    @Override
    public void markExpired() {
        signals++;
        health.doubt();
    }

    @Override
    public void seen(long epoch, String taskArn) {
        signals++;
        WorkerProcess process = at.worker().process();
        if (process != null && process.taskArn().equals(taskArn)) {
            health.restoreEpoch();
        } else {
            stranger = new WorkerState.Unproven(epoch, taskArn);
        }
    }

    @Override
    public void idle(long epoch) {
        signals++;
        idleEpoch = epoch;
    }

    @Override
    public WorkerState state() {
        return at.worker();
    }

    private void want(Desired desired) {
        signals++;
        at.put(at.worker().wanting(desired));
        if (starting != null && !at.worker().isWanted()) {
            starting.cancel("wanted no more");
        }
    }

    // ------------------------------------------------------------------ at rest

    /** There is no process; one is started if it is wanted and nothing holds that back. */
    private void rest() {
        restAsWanted();
        if (isLong()) {
            Workflow.continueAsNew(at.worker());
        } else if (stranger != null) {
            receive(stranger);
        } else if (mayStart()) {
            atOnce = false;
            neededAgain = false;
            start.begin();
        } else {
            Instant until = heldUntil();
            Duration hold = until == null ? WorkerPolicies.DEATHS_WITHIN : Duration.between(Lifecycle.now(), until);
            WorkerState before = at.worker();
            Workflow.await(
                    hold,
                    () -> mayStart()
                            || isLong()
                            || stranger != null
                            || !at.worker().equals(before));
        }
    }

    private void restAsWanted() {
        Desired desired = at.worker().desired();
        String suspended = desired.suspended();
        WorkerStatus status = at.worker().status();
        if (suspended != null) {
            if (!suspended.equals(status.reason()) || !(status instanceof Suspended)) {
                at.become(new Suspended(Lifecycle.now(), suspended));
            }
        } else if (status instanceof Suspended || (!desired.running() && !(status instanceof Terminated))) {
            at.become(new Terminated(Lifecycle.now(), desired.reason()));
        }
    }

    private boolean mayStart() {
        if (!at.worker().isWanted()) {
            return false;
        }
        Instant until = heldUntil();
        boolean held = until != null && Lifecycle.now().isBefore(until);
        return atOnce || (!held && (neededAgain || !(at.worker().status() instanceof Failed)));
    }

    /** Null when nothing holds a start back. */
    private @Nullable Instant heldUntil() {
        return switch (at.worker().status()) {
            case BackingOff backingOff -> backingOff.deadline();
            case Failed failed -> failed.retryAt() == null ? Instant.MAX : failed.retryAt();
            case Terminated _, Suspended _, Claimed _, Launching _, Connecting _ -> null;
            case Active _, HealthCheck _, Burying _, Draining _ -> null;
        };
    }

    /** A lifecycle that knows of nothing, such as after it was terminated, keeps what lives; any other stops it. */
    private void receive(WorkerState.Unproven worker) {
        stranger = null;
        boolean isNew = at.worker().raised() == 0;
        at.put(at.worker().raised(Math.max(at.worker().raised(), worker.epoch())));
        if (isNew && at.worker().desired().suspended() == null && start.adopt()) {
            at.put(at.worker().wanting(at.worker().desired().needed()));
        } else {
            graveyard.stop(worker.epoch(), worker.taskArn(), "another worker serves this user, or none should");
        }
    }

    // ------------------------------------------------------------------ on the way

    /** Runs one step of a start. When the worker is wanted no more, what was begun is undone. */
    private void whileWanted(Runnable step) {
        if (at.worker().isWanted()) {
            starting = Workflow.newCancellationScope(step);
            try {
                starting.run();
            } catch (CanceledFailure wantedNoMore) {
                // It is undone below.
            } finally {
                starting = null;
            }
        }
        if (!at.worker().isWanted()) {
            undo();
        }
    }

    private void undo() {
        String why = "wanted no more";
        switch (at.worker().status()) {
            case Claimed _ -> {
                start.voidClaim();
                WorkerStart.refillPool();
            }
            case Launching launching -> {
                if (launching.taskArn() != null) {
                    graveyard.stop(at.worker().epoch(), launching.taskArn(), why);
                }
                at.clearMark();
            }
            case Connecting connecting -> remove(connecting.worker(), why);
            case Terminated _, Suspended _, Failed _, BackingOff _, Active _, HealthCheck _, Burying _, Draining _ -> {
                return;
            }
        }
        at.become(new Terminated(Lifecycle.now(), at.worker().desired().reason()));
    }

    private void connect() {
        health.begin();
        Failed failed = sessions.connect();
        Lifecycle.Death death = at.death();
        if (failed != null) {
            remove(at.live(), failed.reason());
            neededAgain = false;
            at.become(failed);
        } else if (death != null && at.worker().status() instanceof Connecting connecting) {
            given(connecting.worker(), death.reason());
        }
    }

    // ------------------------------------------------------------------ at work

    private void attend() {
        LiveWorker worker = at.live();
        Lifecycle.Death death = at.death();
        if (death != null) {
            given(worker, death.reason());
        } else if (!at.worker().isWanted()) {
            String suspended = at.worker().desired().suspended();
            String why = suspended == null ? at.worker().desired().reason() : suspended;
            drain(worker, Objects.requireNonNullElse(why, "stopped"), false);
        } else if (isLong() && !sessions.hasReloads()) {
            Workflow.continueAsNew(at.worker());
        } else if (stranger != null) {
            receive(stranger);
        } else if (idleEpoch == at.worker().epoch()) {
            idleEpoch = 0;
            at.put(at.worker().wanting(at.worker().desired().stopped(IDLE)));
            drain(worker, IDLE, true);
        } else if (sessions.hasReloads()) {
            sessions.reload();
        } else if (sessions.missing().isPresent()) {
            sessions.openAnother(sessions.missing().get());
        } else if (health.isDue()) {
            health.look();
        } else {
            Workflow.await(health.untilDue(), this::hasWork);
        }
    }

    private boolean hasWork() {
        return at.death() != null
                || !at.worker().isWanted()
                || stranger != null
                || idleEpoch == at.worker().epoch()
                || sessions.hasReloads()
                || sessions.missing().isPresent()
                || health.isDue()
                || isLong();
    }

    private void drain(LiveWorker worker, String reason, boolean onlyIfIdle) {
        Instant now = Lifecycle.now();
        at.become(new Draining(now, now.plus(WorkerPolicies.CLOSE_SESSION), worker, reason, onlyIfIdle));
    }

    /** An idle worker that is busy after all goes on: an order that races with the stop wins. */
    private void close(Draining draining) {
        LiveWorker worker = draining.worker();
        try {
            CloseOutcome outcome = Workflow.newActivityStub(
                            WorkerControl.class, WorkerPolicies.closeSession(at.userId()))
                    .closeSession(at.worker().epoch(), draining.onlyIfIdle());
            if (outcome == CloseOutcome.BUSY) {
                if (IDLE.equals(at.worker().desired().reason())) {
                    at.put(at.worker().wanting(at.worker().desired().needed()));
                }
                at.become(new Active(Lifecycle.now(), worker));
                return;
            }
        } catch (ActivityFailure silent) {
            // It is stopped in any case; a process that is gone has closed its sessions.
        }
        remove(worker, draining.reason());
        at.become(new Terminated(Lifecycle.now(), draining.reason()));
    }

    private void given(LiveWorker worker, String reason) {
        Instant now = Lifecycle.now();
        at.put(at.worker().died(now));
        at.become(new Burying(now, now.plus(WorkerPolicies.LEASE_OVER), worker, reason));
    }

    /**
     * The next one is started when this one is proven dead, or surely can not send any more: it can not renew its lease
     * once the epoch is raised.
     */
    private void bury(LiveWorker worker, String reason) {
        if (!at.hasStopped(worker.process().taskArn())) {
            at.raiseEpoch();
        }
        remove(worker, reason);
        Instant now = Lifecycle.now();
        if (at.worker().isCrashLooping(now)) {
            at.become(new BackingOff(now, now.plus(crashPauses.next()), "It died too often: " + reason));
        } else {
            crashPauses.reset();
            at.become(new BackingOff(now, now, reason));
        }
    }

    private void remove(LiveWorker worker, @Nullable String why) {
        graveyard.stop(
                worker.process().epoch(), worker.process().taskArn(), Objects.requireNonNullElse(why, "stopped"));
        at.clearMark();
    }

    private boolean isLong() {
        return signals >= WorkerPolicies.SIGNALS_PER_RUN || Workflow.getInfo().isContinueAsNewSuggested();
    }
}
