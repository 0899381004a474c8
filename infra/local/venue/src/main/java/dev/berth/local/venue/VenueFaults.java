package dev.berth.local.venue;

import org.jspecify.annotations.Nullable;

/**
 * Faults of order submissions. An {@link IllegalArgumentException} if a probability or
 * the delay is out of range.
 *
 * @param delayMillis delay before each submission is processed
 * @param hold whether each submission first waits until faults are set again
 * @param hang probability (0 to 1) of no response and no booking
 * @param refuse probability of a 403 without a booking
 * @param serverError probability of a 500 without a booking
 * @param dropAnswer probability of a booking with a cut connection instead of a response
 * @param seed makes draws repeatable; null for random ones
 */
record VenueFaults(
        long delayMillis,
        boolean hold,
        double hang,
        double refuse,
        double serverError,
        double dropAnswer,
        @Nullable Long seed) {

    static final VenueFaults NONE = new VenueFaults(0, false, 0, 0, 0, 0, null);

    VenueFaults {
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
