package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A live worker whose lifecycle is stopped, for example after a lost start. The lifecycle stops the
 * worker.
 */
record UnwantedWorker(HeartbeatKeys heartbeats, LifecycleReports reports) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.UNWANTED_WORKER;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.liveWorkers()
                .filter(worker -> isAtRest(fleet.lifecycles().get(worker.getKey())))
                .map(worker -> DriftObservation.suspected(new Drift(kind(), worker.getKey(), worker.getValue(), 0)))
                .toList();
    }

    /** Null without a lifecycle: {@link MissingLifecycle} handles that worker. */
    private static boolean isAtRest(@Nullable WorkerPhase phase) {
        return phase != null && phase.isAtRest();
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        return heartbeats
                .details(user, drift.subject())
                .map(worker -> reports.unwantedWorker(user, worker.epoch(), worker.taskArn()))
                .orElse(Result.RESOLVED);
    }
}
