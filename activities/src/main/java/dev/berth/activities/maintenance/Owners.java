package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerStatus;
import java.util.Optional;

/** Tells the lifecycle of a user of a task that should not be as it is; the lifecycle alone decides and stops. */
final class Owners {
    private final Workflows workflows;

    Owners(Workflows workflows) {
        this.workflows = workflows;
    }

    /**
     * The task runs, and its user's lifecycle does not count on it, or it has lost its mark.
     *
     * @param epoch 0 when it is not known
     */
    Healed uncounted(UserId userId, long epoch, String taskArn) {
        return tell(workflows.lifecycle(userId), userId, epoch, taskArn);
    }

    /** The worker lives, and is marked. A lifecycle that is not at rest any more is left alone. */
    Healed unwanted(UserId userId, long epoch, String taskArn) {
        Optional<WorkerState> atRest =
                workflows.lifecycle(userId).filter(worker -> worker.phase().isAtRest());
        return atRest.isPresent() ? tell(atRest, userId, epoch, taskArn) : Healed.GONE;
    }

    private Healed tell(Optional<WorkerState> known, UserId userId, long epoch, String taskArn) {
        if (known.isPresent()) {
            WorkerState worker = known.get();
            WorkerProcess process = worker.process();
            if (process != null && process.taskArn().equals(taskArn)) {
                workflows.tell(userId, "markExpired");
                return Healed.DONE;
            }
            boolean isAtIt = worker.unproven().stream()
                    .anyMatch(unproven -> unproven.taskArn().equals(taskArn));
            if (isAtIt || isOnItsWay(worker.status())) {
                return Healed.LATER;
            }
        }
        workflows.seen(userId, epoch, taskArn);
        return Healed.DONE;
    }

    /** Until the next process is known it might be this very task: whoever is told of it then would stop it. */
    private static boolean isOnItsWay(WorkerStatus status) {
        return switch (status) {
            case WorkerStatus.Claimed _, WorkerStatus.Launching _, WorkerStatus.Burying _ -> true;
            case WorkerStatus.Connecting _, WorkerStatus.HealthCheck _, WorkerStatus.Draining _ -> true;
            case WorkerStatus.Active _, WorkerStatus.Terminated _, WorkerStatus.BackingOff _ -> false;
            case WorkerStatus.Suspended _, WorkerStatus.Failed _ -> false;
        };
    }
}
