package dev.berth.activities.maintenance;

import dev.berth.activities.maintenance.DriftRule.Result;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerStatus;
import java.util.Optional;

/** Reports tasks to the lifecycle of their user, which alone decides and stops tasks. */
final class LifecycleReports {
    private final LifecycleWorkflowClient lifecycles;

    LifecycleReports(LifecycleWorkflowClient lifecycles) {
        this.lifecycles = lifecycles;
    }

    /**
     * Reports a running task that the lifecycle does not expect, or that has no heartbeat.
     *
     * @param epoch 0 when unknown
     */
    Result unexpectedTask(UserId userId, long epoch, String taskArn) {
        return report(lifecycles.stateIfRunning(userId), userId, epoch, taskArn);
    }

    /** Reports a live worker with a heartbeat, unless the lifecycle is no longer stopped. */
    Result unwantedWorker(UserId userId, long epoch, String taskArn) {
        Optional<WorkerState> stopped = lifecycles
                .stateIfRunning(userId)
                .filter(worker -> worker.phase().isAtRest());
        return stopped.isPresent() ? report(stopped, userId, epoch, taskArn) : Result.RESOLVED;
    }

    private Result report(Optional<WorkerState> state, UserId userId, long epoch, String taskArn) {
        if (state.isPresent()) {
            WorkerState worker = state.get();
            WorkerProcess process = worker.process();
            if (process != null && process.taskArn().equals(taskArn)) {
                lifecycles.signal(userId, WorkerLifecycleWorkflow::heartbeatExpired);
                return Result.HEALED;
            }
            boolean isStopping = worker.unconfirmedStops().stream()
                    .anyMatch(unproven -> unproven.taskArn().equals(taskArn));
            if (isStopping || mayBeNextProcess(worker.status())) {
                return Result.IN_PROGRESS;
            }
        }
        lifecycles.reportWorker(userId, epoch, taskArn);
        return Result.HEALED;
    }

    /**
     * Until the lifecycle knows its next process, this task may be that process, and a report would
     * stop it.
     */
    private static boolean mayBeNextProcess(WorkerStatus status) {
        return switch (status) {
            case WorkerStatus.Claimed _, WorkerStatus.Launching _, WorkerStatus.AwaitingStop _ -> true;
            case WorkerStatus.Connecting _, WorkerStatus.HealthCheck _, WorkerStatus.Draining _ -> true;
            case WorkerStatus.Active _, WorkerStatus.Terminated _, WorkerStatus.BackingOff _ -> false;
            case WorkerStatus.Suspended _, WorkerStatus.Failed _ -> false;
        };
    }
}
