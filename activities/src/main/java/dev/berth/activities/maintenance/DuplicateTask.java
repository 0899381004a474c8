package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * A second task of a user. The mark belongs to the newest epoch alone, so whoever runs beside it is older, and can not
 * send. The owner stops it, and remembers it until it is proven dead.
 */
record DuplicateTask(Marks marks, Tasks tasks, Owners owners) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.DUPLICATE_TASK;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.unmarked().stream()
                .filter(task -> task.userId() != null && fleet.marks().containsKey(task.userId()))
                .map(task -> Sighting.absent(new Drift(kind(), task.userId(), task.taskId(), task.epoch())))
                .toList();
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<Task> task = tasks.find(drift.subject()).filter(Tasks::runs);
        boolean isBesideAnother =
                marks.of(user).filter(marked -> !marked.equals(drift.subject())).isPresent();
        return task.isEmpty() || !isBesideAnother
                ? Healed.GONE
                : owners.uncounted(user, drift.epoch(), task.get().taskArn());
    }
}
