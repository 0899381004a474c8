package dev.berth.local.ecs;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is made to go wrong. What a call leaves out is off.
 *
 * @param ignoreStop StopTask answers and signals nothing: a host that can not be reached
 * @param runTaskDelayMillis between the answer of RunTask and the start of the process, 0 or more
 * @param dropEvents state changes are lost on their way
 * @param forgotten ids of tasks that no call knows, though they may run: as just after RunTask, or in another cluster
 */
record Faults(
        boolean ignoreStop,
        long runTaskDelayMillis,
        boolean dropEvents,
        @Nullable Set<String> forgotten) {
    static final Faults NONE = new Faults(false, 0, false, Set.of());

    Faults {
        if (runTaskDelayMillis < 0) {
            throw new IllegalArgumentException("runTaskDelayMillis must not be negative");
        }
    }

    boolean knows(Task task) {
        return forgotten == null || !forgotten.contains(task.id());
    }
}
