package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.ecs.model.Task;

/** The process is gone and nobody was told: orders would wait for it until the mark runs out, or for ever. */
record MarkWithoutTask(Marks marks, Tasks tasks, Workflows workflows) implements DriftRule {

    @Override
    public DriftKind kind() {
        return DriftKind.MARK_WITHOUT_TASK;
    }

    @Override
    public List<Sighting> look(FleetView fleet) {
        List<Sighting> seen = new ArrayList<>();
        fleet.marks().forEach((user, task) -> {
            Drift drift = new Drift(kind(), user, task, 0);
            if (fleet.stopped().contains(task)) {
                seen.add(Sighting.proven(drift));
            } else if (fleet.unknown().contains(task)) {
                seen.add(Sighting.absent(drift));
            }
        });
        return seen;
    }

    @Override
    public Healed heal(Drift drift) {
        UserId user = Objects.requireNonNull(drift.userId());
        Optional<Task> task = tasks.find(drift.subject());
        boolean isMarked = marks.of(user).filter(drift.subject()::equals).isPresent();
        if (!isMarked || task.filter(found -> !Tasks.isStopped(found)).isPresent()) {
            return Healed.GONE;
        }
        if (task.isPresent()) {
            // Before the mark is gone: else its owner would have to find out by itself.
            workflows.tell(user, "taskStopped", task.get().taskArn(), "the sweep found out: ECS says that it stopped");
            marks.remove(user, drift.subject());
        } else {
            // No proof: whoever renewed the mark since it was seen first lives, is asked, and marks itself again.
            marks.remove(user, drift.subject());
            workflows.tell(user, "markExpired");
        }
        return Healed.DONE;
    }
}
