package dev.berth.workflows.worker;

import dev.berth.workflows.Changes;
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
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** While there is no process: one is started if it is wanted and nothing holds that back. */
final class WorkerRest {
    /** Each names a change of this code in histories. */
    private static final String VOIDS_STRANGERS = "voids-strangers";

    private static final String STARTS_BEFORE_A_NEW_RUN = "starts-before-a-new-run";

    private final Lifecycle at;
    private final Inbox inbox;
    private final WorkerStart start;
    private final Graveyard graveyard;

    WorkerRest(Lifecycle at, Inbox inbox, WorkerStart start, Graveyard graveyard) {
        this.at = at;
        this.inbox = inbox;
        this.start = start;
        this.graveyard = graveyard;
    }

    void rest() {
        if (mayServeUnwanted()) {
            if (start.takeOver()) {
                // It is found, so that it can be stopped.
                return;
            }
            if (at.worker().raised() > 0 && WorkerStart.mindsLostStarts()) {
                at.voidEpoch();
            }
        }
        beAsWanted();
        WorkerState.Unproven stranger = inbox.stranger();
        if (at.isLong(inbox) && !isWishLeft()) {
            Workflow.continueAsNew(at.worker());
        } else if (stranger != null) {
            inbox.dismissStranger();
            receive(stranger);
        } else if (mayBeResumed()) {
            inbox.started();
            if (WorkerStart.isCareful()) {
                start.readFleetSwitch();
            }
        } else if (mayStart()) {
            inbox.started();
            start.begin();
        } else {
            WorkerState before = at.worker();
            Instant held = heldUntil();
            at.awaitUntil(
                    Lifecycle.earlier(held, calmAt()),
                    "then start a worker",
                    () -> mayStart()
                            || mayBeResumed()
                            || at.isLong(inbox)
                            || inbox.stranger() != null
                            || !at.worker().equals(before)
                            || !Objects.equals(heldUntil(), held));
        }
    }

    /** A new run would not know of it. */
    private boolean isWishLeft() {
        return inbox.isInsisted() && mayStart() && Changes.isMade(STARTS_BEFORE_A_NEW_RUN);
    }

    /** When its deaths lie long enough back; null when they call for nobody, or no more. */
    private @Nullable Instant calmAt() {
        if (at.calmAt() == null || !Lifecycle.calmsAtRest()) {
            return null;
        }
        at.showAttention();
        return at.calmAt();
    }

    /**
     * Whether a process may live of which this lifecycle, which has started none, knows nothing: an earlier one's, or one
     * that was claimed in a workflow task that was lost with its orchestrator, and comes yet.
     */
    private boolean mayServeUnwanted() {
        Desired desired = at.worker().desired();
        if (at.worker().raised() > 0 || at.worker().isWanted()) {
            return false;
        }
        return desired.suspended() != null
                ? WorkerStart.isCareful()
                : desired.reason() != null && WorkerStart.mindsLostStarts();
    }

    private void beAsWanted() {
        Desired desired = at.worker().desired();
        String suspended = desired.suspended();
        WorkerStatus status = at.worker().status();
        if (suspended != null) {
            if (!(status instanceof Suspended) || !suspended.equals(status.reason())) {
                at.become(new Suspended(Lifecycle.now(), suspended));
            }
        } else if (status instanceof Suspended || (!desired.running() && !(status instanceof Terminated))) {
            at.become(new Terminated(Lifecycle.now(), desired.reason()));
        }
    }

    /** Whoever resumed all may have missed this one: a need asks again. */
    private boolean mayBeResumed() {
        return inbox.isNeeded() && at.worker().desired().fleet().suspended();
    }

    private boolean mayStart() {
        return at.worker().isWanted()
                && (inbox.isInsisted()
                        || switch (at.worker().status()) {
                            case Failed failed -> inbox.isNeeded() && hasPassed(failed.retryAt());
                            case BackingOff backingOff -> hasPassed(backingOff.deadline());
                            case Terminated _, Suspended _ -> true;
                            case Claimed _, Launching _, Connecting _, Active _ -> false;
                            case HealthCheck _, Burying _, Draining _ -> false;
                        });
    }

    private static boolean hasPassed(@Nullable Instant time) {
        return time != null && !Lifecycle.now().isBefore(time);
    }

    /** Null when time alone changes nothing. */
    private @Nullable Instant heldUntil() {
        if (!at.worker().isWanted()) {
            return null;
        }
        return switch (at.worker().status()) {
            case Failed failed -> inbox.isNeeded() ? failed.retryAt() : null;
            case BackingOff backingOff -> backingOff.deadline();
            case Terminated _, Suspended _, Claimed _, Launching _, Connecting _ -> null;
            case Active _, HealthCheck _, Burying _, Draining _ -> null;
        };
    }

    /** A lifecycle that knows of nothing, such as after it was terminated, keeps what lives; any other stops it. */
    private void receive(WorkerState.Unproven stranger) {
        boolean isNew = at.worker().raised() == 0;
        at.put(at.worker().raised(Math.max(at.worker().raised(), stranger.epoch())));
        if (isNew && at.worker().desired().suspended() == null && start.adopt(stranger.taskArn())) {
            if (at.worker().desired().reason() == null) {
                // Nobody has stopped it meanwhile.
                at.put(at.worker().wanting(at.worker().desired().needed()));
            }
        } else {
            graveyard.stop(stranger.epoch(), stranger.taskArn(), "another worker serves this user, or none should");
            if (Changes.isMade(VOIDS_STRANGERS)) {
                at.voidEpoch();
            }
        }
    }
}
