package dev.berth.workflows;

import java.time.Duration;

/** Pauses that double from the first to the longest. */
public final class ExponentialBackoff {
    private final Duration first;
    private final Duration longest;
    private int failures;

    public ExponentialBackoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    /** The first pause after one failure or none; doubles with every further failure in a row. */
    public static Duration pause(Duration first, Duration longest, int failures) {
        Duration pause = first;
        for (int i = 1; i < failures && pause.compareTo(longest) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longest) < 0 ? pause : longest;
    }

    public Duration next() {
        failures++;
        return pause(first, longest, failures);
    }

    /** What was waited for has happened: the next pause is the first one again. */
    public void reset() {
        failures = 0;
    }
}
