package dev.berth.acceptance.chaos;

import java.time.Duration;
import java.util.Locale;

/**
 * A planned fault.
 *
 * @param at the time since the start of the run
 * @param place the user's index for a fault of a worker, else the choice of a variant
 * @param lasts the duration of the fault
 */
record PlannedFault(Duration at, FaultKind kind, int place, Duration lasts) {

    /** Faults of one target never overlap. */
    String target() {
        return kind.target().equals(FaultKind.WORKER) ? FaultKind.WORKER + " " + place : kind.target();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%7.1f s  %-15s %-10s %4.1f s",
                at.toMillis() / 1000.0,
                kind.word(),
                target(),
                lasts.toMillis() / 1000.0);
    }
}
