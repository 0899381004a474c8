package dev.berth.activities.maintenance;

import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A worker without a heartbeat that its lifecycle expects: frozen, or stopped and the event was
 * lost. The lifecycle checks the heartbeat and the process before it acts, so no second sweep has
 * to confirm.
 */
record FrozenWorker(HeartbeatKeys heartbeats, LifecycleWorkflowClient lifecycles) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.FROZEN_WORKER;
    }

    @Override
    public List<DriftObservation> find(FleetSnapshot fleet) {
        return fleet.lifecycles().entrySet().stream()
                .filter(lifecycle -> lifecycle.getValue() == WorkerPhase.ACTIVE)
                .map(Map.Entry::getKey)
                .filter(user -> !fleet.heartbeats().containsKey(user))
                .map(user -> DriftObservation.proven(new Drift(kind(), user, "", 0)))
                .toList();
    }

    @Override
    public Result heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        boolean isActive = lifecycles
                .stateIfRunning(user)
                .filter(worker -> worker.phase() == WorkerPhase.ACTIVE)
                .isPresent();
        if (!isActive || heartbeats.of(user).isPresent()) {
            return Result.RESOLVED;
        }
        lifecycles.signal(user, WorkerLifecycleWorkflow::heartbeatExpired);
        return Result.HEALED;
    }
}
