package dev.berth.workflows;

import io.temporal.common.Priority;
import org.jspecify.annotations.Nullable;

/** Which of the launches that wait is next. */
public final class LaunchPriority {
    private LaunchPriority() {}

    /**
     * The lowest key first. Among launches of one key the groups take turns, so that many launches
     * of one group do not delay the first of another.
     *
     * @param key 1 to 5
     * @param group null for the default group
     */
    public static Priority of(int key, @Nullable UserGroup group) {
        Priority.Builder priority = Priority.newBuilder().setPriorityKey(key);
        if (group != null && !group.isDefault()) {
            priority.setFairnessKey(group.name());
        }
        return priority.build();
    }
}
