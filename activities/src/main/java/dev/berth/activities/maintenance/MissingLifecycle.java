package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A worker lives and nobody looks after it, such as after somebody terminated its workflow. It is adopted. */
record MissingLifecycle(Marks marks, Workflows workflows) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.MISSING_LIFECYCLE;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.alive()
                .filter(worker -> !fleet.lifecycles().containsKey(worker.getKey()))
                .map(worker -> Sighting.absent(new Drift(kind(), worker.getKey(), worker.getValue(), 0)))
                .toList();
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<Marks.Written> worker = marks.written(user, drift.subject());
        if (worker.isEmpty() || workflows.runs(WorkflowIds.worker(user))) {
            return Healed.GONE;
        }
        workflows.seen(user, worker.get().epoch(), worker.get().taskArn());
        return Healed.DONE;
    }
}
