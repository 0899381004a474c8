package dev.berth.local.ecs;

/**
 * What is made to go wrong. What a call leaves out is off.
 *
 * @param ignoreStop StopTask answers and signals nothing: a host that can not be reached
 * @param runTaskDelayMillis between the answer of RunTask and the start of the process, 0 or more
 * @param dropEvents state changes are lost on their way
 */
record Faults(boolean ignoreStop, long runTaskDelayMillis, boolean dropEvents) {
    static final Faults NONE = new Faults(false, 0, false);

    Faults {
        if (runTaskDelayMillis < 0) {
            throw new IllegalArgumentException("runTaskDelayMillis must not be negative");
        }
    }
}
