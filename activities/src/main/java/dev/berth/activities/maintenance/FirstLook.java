package dev.berth.activities.maintenance;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The first look of a process that succeeds stops nothing, however long it had to wait for the servers: when they are
 * just back, workers are still marking themselves, and signals are on their way.
 */
final class FirstLook {
    private final AtomicBoolean isOver = new AtomicBoolean();

    /** To be asked once a look, when everything could be read. */
    int stopsPerMinute(int fleet) {
        return isOver.getAndSet(true) ? KillBudget.perMinute(fleet) : 0;
    }
}
