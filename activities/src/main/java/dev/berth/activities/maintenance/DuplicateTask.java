package dev.berth.activities.maintenance;

import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A second task of a user. The heartbeat key belongs to the newest epoch, so the other task is
 * older and cannot send. The lifecycle stops the other task, and tracks it until the stop is
 * proven.
 */
record DuplicateTask(HeartbeatKeys heartbeats, WorkerLauncher launcher, LifecycleReports reports) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.DUPLICATE_TASK;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.withoutHeartbeat().stream()
                .filter(task -> task.userId() != null && fleet.heartbeats().containsKey(task.userId()))
                .map(task -> DriftObservation.suspected(new Drift(kind(), task.userId(), task.taskId(), task.epoch())))
                .toList();
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<WorkerTask> task = launcher.find(drift.subject()).filter(WorkerTask::runs);
        boolean hasOtherTask = heartbeats
                .of(user)
                .filter(current -> !current.equals(drift.subject()))
                .isPresent();
        return task.isEmpty() || !hasOtherTask
                ? Result.RESOLVED
                : reports.unexpectedTask(user, drift.epoch(), task.get().arn());
    }
}
