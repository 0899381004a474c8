package dev.berth.local.ecs;

import java.util.Set;

/**
 * What is made to go wrong. What a call leaves out is off.
 *
 * @param ignoreStop StopTask answers and signals nothing: a host that can not be reached
 * @param runTaskDelayMillis between the answer of RunTask and the start of the process, 0 or more
 * @param dropEvents state changes are lost on their way
 * @param throttled operations that are answered with a ThrottlingException, such as RunTask
 * @param forgotten ids of tasks that no call knows, though they may run: as just after RunTask, or in another cluster
 */
record Faults(
        boolean ignoreStop, long runTaskDelayMillis, boolean dropEvents, Set<String> throttled, Set<String> forgotten) {
    static final Faults NONE = new Faults(false, 0, false, Set.of(), Set.of());

    Faults {
        throttled = throttled == null ? Set.of() : Set.copyOf(throttled);
        forgotten = forgotten == null ? Set.of() : Set.copyOf(forgotten);
        if (runTaskDelayMillis < 0) {
            throw new IllegalArgumentException("runTaskDelayMillis must not be negative");
        }
    }

    boolean knows(Task task) {
        return !forgotten.contains(task.id());
    }
}
