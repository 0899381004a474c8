package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells the lifecycle of a user of a task that should not be as it is; the lifecycle alone decides and stops. */
final class Owners {
    private final Workflows workflows;

    Owners(Workflows workflows) {
        this.workflows = workflows;
    }

    /** Null: there is no lifecycle. */
    static boolean isAtRest(@Nullable WorkerPhase phase) {
        return phase != null
                && switch (phase) {
                    case TERMINATED, SUSPENDED, FAILED -> true;
                    case POOL_IDLE, CLAIMED, LAUNCHING, CONNECTING, ACTIVE, PROCESSING -> false;
                    case HEALTH_CHECK, RECONNECTING, DRAINING -> false;
                };
    }

    /**
     * The task runs, and its user's lifecycle does not count on it, or it has lost its mark.
     *
     * @param epoch 0 when it is not known
     */
    Healed uncounted(UserId userId, long epoch, String taskArn) {
        Optional<WorkerState> known = workflows.lifecycle(userId);
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
