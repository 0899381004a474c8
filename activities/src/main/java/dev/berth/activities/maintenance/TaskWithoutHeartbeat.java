package dev.berth.activities.maintenance;

import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A process without a user that costs memory, for example after a lost stop. */
record TaskWithoutHeartbeat(HeartbeatKeys heartbeats, WorkerLauncher launcher, LifecycleReports reports)
        implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.TASK_WITHOUT_HEARTBEAT;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.withoutHeartbeat().stream()
                .filter(task -> task.userId() != null && !fleet.heartbeats().containsKey(task.userId()))
                .filter(task -> isUnexpected(fleet.lifecycles().get(task.userId())))
                .map(task -> DriftObservation.suspected(new Drift(kind(), task.userId(), task.taskId(), task.epoch())))
                .toList();
    }

    /**
     * Null without a lifecycle. In the other phases the lifecycle or {@link FrozenWorker} handles
     * the task.
     */
    private static boolean isUnexpected(@Nullable WorkerPhase phase) {
        return phase == null || phase.isAtRest();
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<WorkerTask> task = launcher.find(drift.subject()).filter(WorkerTask::runs);
        return task.isEmpty() || heartbeats.of(user).isPresent()
                ? Result.RESOLVED
                : reports.unexpectedTask(user, drift.epoch(), task.get().arn());
    }
}
