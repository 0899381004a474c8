package dev.berth.activities.maintenance;

import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.TaskDeath;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The process stopped and the event was lost: orders would wait until the heartbeat expires, or for
 * ever.
 */
record HeartbeatWithoutTask(HeartbeatKeys heartbeats, WorkerLauncher launcher, LifecycleWorkflowClient lifecycles)
        implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.HEARTBEAT_WITHOUT_TASK;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        List<DriftObservation> seen = new ArrayList<>();
        fleet.heartbeats().forEach((user, task) -> {
            Drift drift = new Drift(kind(), user, task, 0);
            if (fleet.stopped().contains(task)) {
                seen.add(DriftObservation.proven(drift));
            } else if (fleet.unconfirmed().contains(task)) {
                seen.add(DriftObservation.suspected(drift));
            }
        });
        return seen;
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<WorkerTask> task = launcher.find(drift.subject());
        Optional<TaskDeath> death = task.map(WorkerTask::death);
        boolean hasHeartbeat =
                heartbeats.of(user).filter(drift.subject()::equals).isPresent();
        if (!hasHeartbeat || death.filter(TaskDeath.ALIVE::equals).isPresent()) {
            return Result.RESOLVED;
        }
        if (task.isEmpty()) {
            // No proof: the process may live. The lifecycle asks the process, which then renews the
            // heartbeat.
            heartbeats.remove(user, drift.subject());
            lifecycles.signal(user, WorkerLifecycleWorkflow::heartbeatExpired);
        } else if (death.get() == TaskDeath.PROVEN) {
            // Signal first: without the heartbeat the lifecycle would have to detect the stop by
            // itself.
            lifecycles.signal(
                    user,
                    lifecycle -> lifecycle.taskStopped(task.get().arn(), "sweep: ECS reports the task as stopped"));
            heartbeats.remove(user, drift.subject());
        } else {
            // The process may still run and renew the heartbeat; otherwise the heartbeat expires.
            lifecycles.signal(
                    user,
                    lifecycle -> lifecycle.taskStopped(task.get().arn(), "sweep: ECS reports STOPPED without proof"));
        }
        return Result.HEALED;
    }
}
