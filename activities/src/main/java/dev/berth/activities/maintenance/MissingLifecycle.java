package dev.berth.activities.maintenance;

import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A live worker without a lifecycle, for example after a manual termination. A new lifecycle adopts
 * the worker.
 */
record MissingLifecycle(HeartbeatKeys heartbeats, LifecycleWorkflowClient lifecycles) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.MISSING_LIFECYCLE;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.liveWorkers()
                .filter(worker -> !fleet.lifecycles().containsKey(worker.getKey()))
                .map(worker -> DriftObservation.suspected(new Drift(kind(), worker.getKey(), worker.getValue(), 0)))
                .toList();
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<HeartbeatKeys.Details> worker = heartbeats.details(user, drift.subject());
        if (worker.isEmpty() || lifecycles.isRunning(user)) {
            return Result.RESOLVED;
        }
        lifecycles.reportWorker(user, worker.get().epoch(), worker.get().taskArn());
        return Result.HEALED;
    }
}
