package dev.berth.activities.maintenance;

import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.pool.PoolTasks;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.ecs.model.Task;

/** A worker's task of no user that does not wait in the pool either. Nobody owns it, so the sweep itself stops it. */
record UnownedTask(Tasks tasks, PoolTasks pool) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.UNOWNED_TASK;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        return fleet.unmarked().stream()
                .filter(task -> task.userId() == null)
                .map(task -> Sighting.absent(new Drift(kind(), null, task.taskId(), 0)))
                .toList();
    }

    /** One that is claimed at this moment is spared, and one that is idle again ends by itself. */
    @Override
    public Healed heal(Drift drift) {
        Optional<Task> task = tasks.find(drift.subject()).filter(Tasks::runs);
        return task.isPresent() && pool.retire(task.get().taskArn(), "it belongs to nobody")
                ? Healed.DONE
                : Healed.GONE;
    }
}
