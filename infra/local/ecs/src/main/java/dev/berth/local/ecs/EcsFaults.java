package dev.berth.local.ecs;

import java.util.Set;

/**
 * Injected faults. A field that the request omits is off.
 *
 * @param ignoreStop StopTask responds and sends no signal, as with an unreachable host
 * @param runTaskDelayMillis delay between the response of RunTask and the start of the process, 0
 *     or more
 * @param dropEvents no state change event is sent
 * @param throttled operations that fail with a ThrottlingException, such as RunTask
 * @param forgotten ids of tasks that no call finds, as just after RunTask or in another cluster
 * @param badHosts ARNs of hosts on which no container starts
 */
record EcsFaults(
        boolean ignoreStop,
        long runTaskDelayMillis,
        boolean dropEvents,
        Set<String> throttled,
        Set<String> forgotten,
        Set<String> badHosts) {
    static final EcsFaults NONE = new EcsFaults(false, 0, false, Set.of(), Set.of(), Set.of());

    EcsFaults {
        throttled = throttled == null ? Set.of() : Set.copyOf(throttled);
        forgotten = forgotten == null ? Set.of() : Set.copyOf(forgotten);
        badHosts = badHosts == null ? Set.of() : Set.copyOf(badHosts);
        if (runTaskDelayMillis < 0) {
            throw new IllegalArgumentException("runTaskDelayMillis must not be negative");
        }
    }

    boolean knows(Task task) {
        return !forgotten.contains(task.id());
    }
}
