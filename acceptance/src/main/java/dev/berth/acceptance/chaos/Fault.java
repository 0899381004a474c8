package dev.berth.acceptance.chaos;

import java.time.Duration;
import java.util.Locale;

/**
 * One that is planned.
 *
 * @param at since the run began
 * @param place the user's, for a fault of a worker; for others, what chooses among their variants
 * @param lasts how long the target is away, stands still or misbehaves
 */
record Fault(Duration at, FaultKind kind, int place, Duration lasts) {

    /** No two faults of one target happen at once. */
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
