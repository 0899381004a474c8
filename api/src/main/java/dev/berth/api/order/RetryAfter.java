package dev.berth.api.order;

import dev.berth.activities.risk.Admittance.Drain;
import java.util.function.DoubleSupplier;

/** How long somebody who was refused should wait: until those who were refused before, and this one, had their turn. */
final class RetryAfter {
    /** With the jitter on top it is never more than 60 s. */
    private static final double LONGEST_SECONDS = 40;
    /** Half more or less, so that those who were refused together do not come back together. */
    private static final double JITTER = 0.5;

    private RetryAfter() {}

    /**
     * In whole seconds, 1 to 60.
     *
     * @param random from 0 to below 1
     */
    static long seconds(Drain drain, DoubleSupplier random) {
        double perSecond = (double) drain.drained() / drain.seconds();
        double expected = Math.clamp((drain.refused() + 1) / perSecond, 1, LONGEST_SECONDS);
        double jittered = expected * (1 - JITTER + 2 * JITTER * random.getAsDouble());
        return Math.max(1, Math.round(jittered));
    }
}
