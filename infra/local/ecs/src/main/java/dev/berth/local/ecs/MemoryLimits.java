package dev.berth.local.ecs;

import dev.berth.local.ecs.LocalEcsOptions.MemoryEnforcement;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the limit of each task: a control group if the kernel permits, else a watcher. */
final class MemoryLimits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryLimits.class);

    private final ResidentSets watcher = new ResidentSets();
    private final Optional<ControlGroups> groups;

    MemoryLimits(MemoryEnforcement enforcement) {
        groups = switch (enforcement) {
            case CONTROL_GROUP_IF_POSSIBLE -> ControlGroups.find();
            case WATCHER -> Optional.empty();
        };
        LOG.info("Hard memory limits are enforced by {}", groups.isPresent() ? "control groups" : "a watcher");
    }

    MemoryLimit forTask(TaskPlan plan) {
        int mebibytes = plan.size().hardMebibytes();
        if (mebibytes > 0 && groups.isPresent()) {
            Optional<ControlGroup> group = groups.get().make(plan.id(), mebibytes);
            if (group.isPresent()) {
                return group.get();
            }
        }
        return watcher.limit(mebibytes);
    }

    /** The limit of a task of an earlier run. */
    MemoryLimit restore(Task task) {
        String folder = task.pull() == null ? null : task.pull().controlGroup();
        return folder == null ? watcher.limit(task.plan().size().hardMebibytes()) : new ControlGroup(Path.of(folder));
    }

    @Override
    public void close() {
        watcher.close();
    }
}
