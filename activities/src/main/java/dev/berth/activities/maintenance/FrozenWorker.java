package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A worker without a mark on which its lifecycle counts: frozen, or gone, and the word of it was lost. The lifecycle
 * reads the mark again and asks the process before it does anything: that is the second proof, so none is waited for.
 */
record FrozenWorker(Marks marks, Workflows workflows) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.FROZEN_WORKER;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.lifecycles().entrySet().stream()
                .filter(lifecycle -> lifecycle.getValue() == WorkerPhase.ACTIVE)
                .map(Map.Entry::getKey)
                .filter(user -> !fleet.marks().containsKey(user))
                .map(user -> Sighting.proven(new Drift(kind(), user, "", 0)))
                .toList();
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        boolean isActive = workflows
                .lifecycle(user)
                .filter(worker -> worker.phase() == WorkerPhase.ACTIVE)
                .isPresent();
        if (!isActive || marks.of(user).isPresent()) {
            return Healed.GONE;
        }
        workflows.tell(user, "markExpired");
        return Healed.DONE;
    }
}
