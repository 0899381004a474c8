package dev.berth.rest.order;

import dev.berth.rest.risk.AdmissionDecision.Drain;
import java.util.function.DoubleSupplier;

/**
 * How long a refused client should wait: until the orders refused before, and this one, could be
 * accepted.
 */
final class RetryAfter {
    /** At most 60 s with jitter. */
    private static final double MAX_SECONDS = 40;
    /** Spreads the retries of clients that were refused together. */
    private static final double JITTER = 0.5;

    private RetryAfter() {}

    /**
     * Whole seconds, 1 to 60.
     *
     * @param random from 0 to below 1
     */
    static long seconds(Drain drain, DoubleSupplier random) {
        double perSecond = (double) drain.drained() / drain.seconds();
        double expected = Math.clamp((drain.refused() + 1) / perSecond, 1, MAX_SECONDS);
        double jittered = expected * (1 - JITTER + 2 * JITTER * random.getAsDouble());
        return Math.max(1, Math.round(jittered));
    }
}
