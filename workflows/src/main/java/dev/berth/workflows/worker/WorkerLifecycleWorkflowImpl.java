package dev.berth.workflows.worker;

import dev.berth.workflows.Changes;
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
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares what is wanted with what is there, and does the one thing that is missing. */
public final class WorkerLifecycleWorkflowImpl implements WorkerLifecycleWorkflow {
    /** Names a change of this code in histories. */
    private static final String HEARS_WHILE_CONNECTING = "hears-while-connecting";

    private static final String NEEDED_IS_NOT_IDLE = "needed-is-not-idle";

    private static final String STOPS_WHILE_OPENING = "stops-while-opening";

    private final Inbox inbox = new Inbox();
    private final Lifecycle at;
    private final Graveyard graveyard;
    private final WorkerStart start;
    private final WorkerSessions sessions;
    private final WorkerHealth health;
    private final WorkerRest rest;
    private final WorkerEnd end;
    /** The step that ends when the worker is wanted no more. */
    private @Nullable CancellationScope starting;

    @WorkflowInit
    public WorkerLifecycleWorkflowImpl(WorkerState worker) {
        this.at = new Lifecycle(worker);
        this.graveyard = new Graveyard(at);
        this.start = new WorkerStart(at, graveyard);
        this.sessions = new WorkerSessions(at);
        this.health = new WorkerHealth(at);
        this.rest = new WorkerRest(at, inbox, start, graveyard);
        this.end = new WorkerEnd(at, graveyard);
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
        if (at.worker().raised() > 0) {
            // A new run may have missed what was said to the one before.
            start.readFleetSwitch();
            graveyard.reopen();
            health.doubt();
            if (at.worker().status() instanceof Active) {
                sessions.wantReloads();
            }
        }
        while (true) {
            switch (at.worker().status()) {
                case Terminated _, Suspended _, Failed _, BackingOff _ -> rest.rest();
                case Claimed _ -> whileWanted(start::awaitClaim);
                case Launching _ -> whileWanted(start::launch);
                case Connecting _ -> whileWanted(this::connect);
                case Active _ -> attend();
                case HealthCheck check -> health.ask(check);
                case Draining draining -> end.close(draining);
                case Burying burying -> end.bury(burying);
            }
        }
    }

    /** Runs one step of a start. When the worker is wanted no more, what was begun is undone. */
    private void whileWanted(Runnable step) {
        if (at.worker().isWanted()) {
            untilWantedNoMore(step);
        }
        if (!at.worker().isWanted()) {
            end.undo();
        }
    }

    private void untilWantedNoMore(Runnable step) {
        starting = Workflow.newCancellationScope(step);
        try {
            starting.run();
        } catch (CanceledFailure wantedNoMore) {
            // What it began is undone, or closed with the worker.
        } finally {
            starting = null;
        }
    }

    /** A broker that takes its time with one account does not hold back a stop: the others trade on. */
    private void open(Runnable step) {
        if (Changes.isMade(STOPS_WHILE_OPENING)) {
            untilWantedNoMore(step);
        } else {
            step.run();
        }
    }

    private void connect() {
        health.begin();
        inbox.connecting();
        Failed failed;
        try {
            failed = sessions.connect();
        } finally {
            // Not before: the start of a process takes from the machine what the user is waiting for.
            if (at.live().origin() == LiveWorker.Origin.CLAIM) {
                Workflow.newDetachedCancellationScope(WorkerStart::refillPool).run();
            }
        }
        Lifecycle.Death death = at.death();
        if (failed != null) {
            end.remove(at.live(), failed.reason());
            at.become(failed);
            if (inbox.isInsistedMeanwhile() && Changes.isMade(HEARS_WHILE_CONNECTING)) {
                inbox.insist();
            }
        } else if (death != null) {
            end.giveUp(death.reason());
        }
    }

    private void attend() {
        Lifecycle.Death death = at.death();
        if (death != null) {
            end.giveUp(death.reason());
        } else if (!at.worker().isWanted()) {
            Desired desired = at.worker().desired();
            String suspended = desired.suspended();
            end.drain(Objects.requireNonNullElse(suspended == null ? desired.reason() : suspended, "stopped"), false);
        } else if (at.isLong(inbox)) {
            Workflow.continueAsNew(at.worker());
        } else if (inbox.saysIdle(at.worker().epoch())) {
            inbox.idleSeen();
            at.put(at.worker().wanting(at.worker().desired().stopped(WorkerEnd.IDLE)));
            end.drain(WorkerEnd.IDLE, true);
        } else if (inbox.stranger() != null) {
            WorkerState.Unproven stranger = Objects.requireNonNull(inbox.stranger());
            inbox.dismissStranger();
            // It may have been adopted since.
            if (!stranger.taskArn().equals(at.live().process().taskArn())) {
                graveyard.stop(stranger.epoch(), stranger.taskArn(), "another worker serves this user");
            }
        } else if (sessions.hasReloads()) {
            open(sessions::reload);
        } else if (sessions.missing().isPresent()) {
            AccountKey missing = sessions.missing().get();
            open(() -> sessions.openAnother(missing));
        } else if (health.isDue()) {
            health.look();
        } else {
            at.showAttention();
            Instant dueAt = Lifecycle.earlier(health.dueAt(), sessions.reloadAt());
            at.awaitUntil(Lifecycle.earlier(dueAt, at.calmAt()), "then look after the worker", this::hasWork);
        }
    }

    private boolean hasWork() {
        return at.death() != null
                || !at.worker().isWanted()
                || inbox.stranger() != null
                || inbox.saysIdle(at.worker().epoch())
                || sessions.hasReloads()
                || sessions.missing().isPresent()
                || health.isDue()
                || at.isLong(inbox);
    }

    // ------------------------------------------------------------------ what is said

    @Override
    public void ensure(WorkerNeed need) {
        want(at.worker().desired().needed());
        if (!at.worker().accounts().contains(need.account())) {
            // What held the accounts before back may not concern this one.
            insistOnAnother();
        }
        at.put(at.worker().needing(need.account()));
        inbox.need();
        if (inbox.saysIdle(at.worker().epoch()) && Changes.isMade(NEEDED_IS_NOT_IDLE)) {
            // It will say so again if it still is.
            inbox.idleSeen();
        }
        if (need.why() == WorkerNeed.Why.REQUEST) {
            if (at.worker().status().worker() == null) {
                inbox.insist();
            } else {
                inbox.insistMeanwhile();
            }
        }
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

    private void want(Desired desired) {
        inbox.count();
        at.put(at.worker().wanting(desired));
        if (starting != null && !at.worker().isWanted()) {
            starting.cancel("wanted no more");
        }
    }

    @Override
    public void reloadCredentials(AccountKey account) {
        inbox.count();
        sessions.wantReload(account);
        insistOnAnother();
    }

    /** Try, though the last try failed for good: it would be with something else. */
    private void insistOnAnother() {
        if (at.worker().status() instanceof Failed) {
            inbox.insist();
        } else {
            inbox.insistMeanwhile();
        }
    }

    @Override
    public void attached(WorkerProcess process) {
        inbox.count();
        at.attached(process);
    }

    @Override
    public void taskStopped(String taskArn, String reason) {
        inbox.count();
        at.stopped(taskArn, reason);
    }

    @Override
    public void markExpired() {
        inbox.count();
        health.missMark();
    }

    @Override
    public void seen(long epoch, String taskArn) {
        inbox.count();
        WorkerProcess process = at.worker().process();
        if (process != null && process.taskArn().equals(taskArn)) {
            health.restoreEpoch();
        } else {
            inbox.meet(new WorkerState.Unproven(epoch, taskArn));
        }
    }

    @Override
    public void idle(long epoch) {
        inbox.count();
        inbox.idle(epoch);
    }

    @Override
    public WorkerState state() {
        return at.worker();
    }
}
