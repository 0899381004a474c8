package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A worker lives, and its lifecycle is at rest: it knows nothing of it, such as after a start was lost. It is stopped. */
record UnwantedWorker(Marks marks, Workflows workflows, Owners owners) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.UNWANTED_WORKER;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.marks().entrySet().stream()
                .filter(mark -> fleet.running().contains(mark.getValue()))
                .filter(mark -> Owners.isAtRest(fleet.lifecycles().get(mark.getKey())))
                .map(UnwantedWorker::sighting)
                .toList();
    }

    private static Sighting sighting(Map.Entry<UserId, String> mark) {
        return Sighting.absent(new Drift(DriftKind.UNWANTED_WORKER, mark.getKey(), mark.getValue(), 0));
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<Marks.Written> worker =
                marks.written(user).filter(written -> written.taskArn().endsWith(drift.subject()));
        boolean isAtRest = workflows
                .lifecycle(user)
                .filter(lifecycle -> Owners.isAtRest(lifecycle.phase()))
                .isPresent();
        return worker.isEmpty() || !isAtRest
                ? Healed.GONE
                : owners.uncounted(user, worker.get().epoch(), worker.get().taskArn());
    }
}
