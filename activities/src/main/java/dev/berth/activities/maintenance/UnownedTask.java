package dev.berth.activities.maintenance;

import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.pool.PoolTasks;
import java.util.List;
import java.util.Optional;

/**
 * A worker's task without a user that is not in the pool. The task has no owner, so the sweep
 * itself stops it.
 */
record UnownedTask(WorkerLauncher launcher, PoolTasks pool) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.UNOWNED_TASK;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.withoutHeartbeat().stream()
                .filter(task -> task.userId() == null)
                .map(task -> DriftObservation.suspected(new Drift(kind(), null, task.taskId(), 0)))
                .toList();
    }

    /** A task that is claimed meanwhile stays, and an idle one exits by itself. */
    @Override
    public Result heal(Drift drift) {
        Optional<WorkerTask> task = launcher.find(drift.subject()).filter(WorkerTask::runs);
        return task.isPresent() && pool.retire(task.get().arn(), "the task has no owner")
                ? Result.HEALED
                : Result.RESOLVED;
    }
}
