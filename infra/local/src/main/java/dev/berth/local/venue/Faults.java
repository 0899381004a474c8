package dev.berth.local.venue;

import org.jspecify.annotations.Nullable;

/**
 * How order submissions go wrong, on demand. An {@link IllegalArgumentException} if a probability or
 * the delay is out of range.
 *
 * @param delayMillis how long each waits before it is processed
 * @param hold whether each waits, before that, until faults are set again, whichever these are
 * @param hang probability (0 to 1) that it is never answered and never booked
 * @param refuse probability that it is refused with 403 and not booked
 * @param serverError probability that it is answered with 500 and not booked
 * @param dropAnswer probability that it is booked and the connection is cut instead of an answer
 * @param seed makes the draws repeatable; null for new ones each time
 */
record Faults(
        long delayMillis,
        boolean hold,
        double hang,
        double refuse,
        double serverError,
        double dropAnswer,
        @Nullable Long seed) {

    static final Faults NONE = new Faults(0, false, 0, 0, 0, 0, null);

    Faults {
        if (delayMillis < 0) {
            throw new IllegalArgumentException("delayMillis must not be negative");
        }
        requireProbability("hang", hang);
        requireProbability("refuse", refuse);
        requireProbability("serverError", serverError);
        requireProbability("dropAnswer", dropAnswer);
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " must be between 0 and 1");
        }
    }
}
