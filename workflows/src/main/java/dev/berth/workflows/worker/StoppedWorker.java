package dev.berth.workflows.worker;

import dev.berth.workflows.TimedAwait;
import dev.berth.workflows.WorkflowTasks;
import dev.berth.workflows.worker.LiveWorker.Origin;
import dev.berth.workflows.worker.WorkerHeartbeats.HeartbeatKeyState;
import dev.berth.workflows.worker.WorkerState.Requests;
import dev.berth.workflows.worker.WorkerState.UnconfirmedStop;
import dev.berth.workflows.worker.WorkerStatus.BackingOff;
import dev.berth.workflows.worker.WorkerStatus.Failed;
import dev.berth.workflows.worker.WorkerStatus.Suspended;
import dev.berth.workflows.worker.WorkerStatus.Terminated;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps while there is no process: start one when it is wanted, and nothing holds the start
 * back.
 */
final class StoppedWorker {
    private final Lifecycle lifecycle;
    private final WorkerEpoch epoch;
    private final WorkerStart start;
    private final TaskStopper stopper;

    StoppedWorker(Lifecycle lifecycle, WorkerEpoch epoch, WorkerStart start, TaskStopper stopper) {
        this.lifecycle = lifecycle;
        this.epoch = epoch;
        this.start = start;
        this.stopper = stopper;
    }

    /**
     * Whether a process may live that a new lifecycle does not know: one of an earlier lifecycle,
     * or one that was claimed in a workflow task that was lost with its orchestrator.
     */
    boolean mayServeUnwanted() {
        return lifecycle.requests().stopRequested()
                && lifecycle.state().raised() == 0
                && !lifecycle.state().isWanted();
    }

    /** Takes the process over, so that it can be stopped. */
    void findUnwanted() {
        lifecycle.updateRequests(requests -> requests.withStopRequested(false));
        if (!takeOver() && lifecycle.state().raised() > 0) {
            epoch.revoke();
        }
    }

    boolean isStatusOutdated() {
        String suspended = lifecycle.state().desired().suspended();
        WorkerStatus status = lifecycle.status();
        if (suspended != null) {
            return !(status instanceof Suspended) || !suspended.equals(status.reason());
        }
        return status instanceof Suspended
                || (!lifecycle.state().desired().running() && !(status instanceof Terminated));
    }

    void reconcile() {
        DesiredState desired = lifecycle.state().desired();
        String suspended = desired.suspended();
        lifecycle.become(
                suspended == null
                        ? new Terminated(WorkflowTasks.now(), desired.reason())
                        : new Suspended(WorkflowTasks.now(), suspended));
    }

    /**
     * The signal that ended a suspension of all may have missed this lifecycle: a need reads the
     * switch again.
     */
    boolean mayBeResumed() {
        return lifecycle.requests().needed()
                && lifecycle.state().desired().fleet().suspended();
    }

    void readFleetSwitch() {
        lifecycle.updateRequests(Requests::started);
        start.readFleetSwitch();
    }

    @Nullable
    Instant startDueAt(Instant now) {
        if (!lifecycle.state().isWanted()) {
            return null;
        }
        if (lifecycle.requests().startForced()) {
            return now;
        }
        return switch (lifecycle.status()) {
            case Terminated _, Suspended _ -> now;
            case Failed failed -> lifecycle.requests().needed() ? failed.retryAt() : null;
            case BackingOff backingOff -> backingOff.deadline();
            default -> null;
        };
    }

    void start() {
        lifecycle.updateRequests(Requests::started);
        if (!takeOver()) {
            start.begin();
        }
    }

    /**
     * A lifecycle that knows of no worker, such as after it was terminated, keeps this one; any
     * other stops it.
     */
    void receiveUnexpectedTask() {
        stopper.takeUnexpectedTask().ifPresent(this::receive);
    }

    private void receive(UnconfirmedStop task) {
        boolean isNew = lifecycle.state().raised() == 0;
        lifecycle.update(state -> state.withRaised(Math.max(state.raised(), task.epoch())));
        if (isNew && lifecycle.state().desired().suspended() == null && adopt(task.taskArn())) {
            if (lifecycle.state().desired().reason() == null) {
                // No signal has stopped it meanwhile.
                lifecycle.update(state -> state.withDesired(state.desired().needed()));
            }
        } else {
            String why = "another worker serves this user, or none should";
            stopper.stop(task.epoch(), task.taskArn(), why, WorkerHeartbeats.LEASE_OVER);
            epoch.revoke();
        }
    }

    /**
     * A new lifecycle keeps the process that an earlier one started, if it lives, and gives out no
     * epoch again.
     *
     * @return whether there is such a process
     */
    private boolean takeOver() {
        if (lifecycle.state().raised() > 0) {
            return false;
        }
        long stored = epoch.stored();
        if (stored > 0) {
            if (adopt(null)) {
                return true;
            }
            lifecycle.update(state -> state.withRaised(stored).requested(WorkflowTasks.now()));
        }
        return false;
    }

    /**
     * Keeps a process that serves the user already, though this lifecycle does not know it.
     *
     * @param taskArn its task, if it is known
     */
    private boolean adopt(@Nullable String taskArn) {
        WorkerProcess answer = findProcess(taskArn);
        if (answer == null || epoch.stored() > answer.epoch() || !stopper.isWorkerOfUser(answer.taskArn())) {
            // There is none; or it was given up, and ends by itself; or it is an impostor.
            return false;
        }
        lifecycle.update(state -> state.withRaised(answer.epoch()).requested(WorkflowTasks.now()));
        epoch.restore();
        start.connect(new LiveWorker(answer, Origin.ADOPTED, List.of()));
        // All may have been suspended while no lifecycle looked after the process.
        start.readFleetSwitch();
        return true;
    }

    /**
     * Silence alone proves nothing: while the heartbeat key is present, or Redis cannot say, the
     * process is asked again, for as long as a process may be silent before it counts as hung. A
     * stop does not end the search: the process has to be found to be stopped.
     */
    private @Nullable WorkerProcess findProcess(@Nullable String taskArn) {
        Instant hung = WorkflowTasks.now().plus(WorkerPolicies.HUNG);
        WorkerProcess answer = ask(taskArn);
        while (answer == null && mayLive(taskArn) && WorkflowTasks.now().isBefore(hung)) {
            TimedAwait.until(
                    WorkerPolicies.ASK_AGAIN,
                    "then ask the process that has the heartbeat key again",
                    () -> hasStopped(taskArn));
            answer = ask(taskArn);
        }
        return answer;
    }

    private @Nullable WorkerProcess ask(@Nullable String taskArn) {
        return start.ask(WorkerControl.ANY_EPOCH, WorkerPolicies.CLAIM_ANSWER, () -> hasStopped(taskArn));
    }

    private boolean mayLive(@Nullable String taskArn) {
        return !hasStopped(taskArn) && epoch.heartbeatKey() != HeartbeatKeyState.ABSENT;
    }

    private boolean hasStopped(@Nullable String taskArn) {
        return taskArn != null && stopper.hasStopped(taskArn);
    }
}
