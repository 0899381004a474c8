package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ecs.model.Task;

/** A process that serves nobody and costs memory, such as one whose stop was lost. */
record TaskWithoutMark(Marks marks, Tasks tasks, Owners owners) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.TASK_WITHOUT_MARK;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.unmarked().stream()
                .filter(task -> task.userId() != null && !fleet.marks().containsKey(task.userId()))
                .filter(task -> isNobodys(fleet.lifecycles().get(task.userId())))
                .map(task -> Sighting.absent(new Drift(kind(), task.userId(), task.taskId(), task.epoch())))
                .toList();
    }

    /** Null: there is no lifecycle. In all states but those at rest the owner is at it, or {@link FrozenWorker} is. */
    private static boolean isNobodys(@Nullable WorkerPhase phase) {
        return phase == null || phase.isAtRest();
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<Task> task = tasks.find(drift.subject()).filter(Tasks::runs);
        return task.isEmpty() || marks.of(user).isPresent()
                ? Healed.GONE
                : owners.uncounted(user, drift.epoch(), task.get().taskArn());
    }
}
