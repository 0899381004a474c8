package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A worker lives, and its lifecycle is at rest: it knows nothing of it, such as after a start was lost. It is stopped. */
record UnwantedWorker(Marks marks, Owners owners) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.UNWANTED_WORKER;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.alive()
                .filter(worker -> isAtRest(fleet.lifecycles().get(worker.getKey())))
                .map(worker -> Sighting.absent(new Drift(kind(), worker.getKey(), worker.getValue(), 0)))
                .toList();
    }

    /** Null: there is no lifecycle, and {@link MissingLifecycle} is at it. */
    private static boolean isAtRest(@Nullable WorkerPhase phase) {
        return phase != null && phase.isAtRest();
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        return marks.written(user, drift.subject())
                .map(worker -> owners.unwanted(user, worker.epoch(), worker.taskArn()))
                .orElse(Healed.GONE);
    }
}
