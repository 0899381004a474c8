package dev.berth.workflows.worker;

import dev.berth.workflows.Changes;
import dev.berth.workflows.Pauses;
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
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;

/** How a worker ends: planned, given up, or before it was one. */
final class WorkerEnd {
    static final String IDLE = "no order for a while, and none works at the venue";
    /** Names a change of this code in histories. */
    private static final String VOIDS_CLAIMS_OF_THE_DEAD = "voids-claims-of-the-dead";

    private final Pauses crashPauses = new Pauses(WorkerPolicies.FIRST_CRASH_PAUSE, WorkerPolicies.LONGEST_CRASH_PAUSE);
    private final Lifecycle at;
    private final Graveyard graveyard;

    WorkerEnd(Lifecycle at, Graveyard graveyard) {
        this.at = at;
        this.graveyard = graveyard;
    }

    void drain(String reason, boolean onlyIfIdle) {
        Instant now = Lifecycle.now();
        at.become(new Draining(now, now.plus(WorkerPolicies.CLOSE_SESSION), at.live(), reason, onlyIfIdle));
    }

    /** An idle worker that is busy after all goes on: an order that races with the stop wins. */
    void close(Draining draining) {
        LiveWorker worker = draining.worker();
        if (asked(draining) == CloseOutcome.BUSY) {
            if (IDLE.equals(at.worker().desired().reason())) {
                at.put(at.worker().wanting(at.worker().desired().needed()));
            }
            at.goOn();
            return;
        }
        remove(worker, draining.reason());
        at.become(new Terminated(Lifecycle.now(), draining.reason()));
    }

    private CloseOutcome asked(Draining draining) {
        try {
            return Workflow.newActivityStub(WorkerControl.class, WorkerPolicies.closeSession(at.userId()))
                    .closeSession(at.worker().epoch(), draining.onlyIfIdle());
        } catch (ActivityFailure silent) {
            // It is stopped in any case; a process that is gone has closed its sessions.
            return CloseOutcome.CLOSED;
        }
    }

    /** It is dead, or as good as dead. */
    void giveUp(String reason) {
        Instant now = Lifecycle.now();
        at.put(at.worker().died(now));
        at.become(new Burying(now, now.plus(WorkerPolicies.LEASE_OVER), at.live(), reason));
    }

    /**
     * The next one is started when this one is proven dead, or surely can not send any more: it can not renew its lease
     * once the epoch is raised.
     */
    void bury(Burying burying) {
        remove(burying.worker(), burying.reason());
        Instant now = Lifecycle.now();
        boolean looping = at.worker().isCrashLooping(now);
        Duration pause = looping ? crashPauses.next() : Duration.ZERO;
        if (!looping) {
            crashPauses.reset();
        }
        at.become(new BackingOff(
                now, now.plus(pause), looping ? "It died too often, lately: " + burying.reason() : burying.reason()));
    }

    /** It is wanted no more before it was active: what was begun is undone. */
    void undo() {
        String why = "wanted no more";
        switch (at.worker().status()) {
            case Claimed _ -> {
                at.voidEpoch();
                WorkerStart.refillPool();
            }
            case Launching launching -> {
                if (launching.taskArn() != null) {
                    graveyard.stop(at.worker().epoch(), launching.taskArn(), why);
                }
                at.voidEpoch();
            }
            case Connecting connecting -> remove(connecting.worker(), why);
            case Terminated _, Suspended _, Failed _, BackingOff _, Active _, HealthCheck _, Burying _, Draining _ -> {
                return;
            }
        }
        at.become(new Terminated(Lifecycle.now(), at.worker().desired().reason()));
    }

    /**
     * Every stop makes a task-stopped event of its own; that is no news any more. With the epoch raised it can not renew
     * its lease: when that is over it sends nothing, whatever became of the stop and of its last session. One that is
     * dead may have taken a claim and not deleted it: when that comes again nobody else may take it.
     */
    void remove(LiveWorker worker, String why) {
        if (!at.hasStopped(worker.process().taskArn()) || Changes.isMade(VOIDS_CLAIMS_OF_THE_DEAD)) {
            at.raiseEpoch();
        }
        graveyard.stop(worker.process().epoch(), worker.process().taskArn(), why);
        at.clearMark();
    }
}
