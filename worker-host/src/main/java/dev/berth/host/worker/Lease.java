package dev.berth.host.worker;

import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The permission to send. It expires before the heartbeat key in Redis does, by the monotonic clock
 * or the wall clock, whichever is first: the monotonic clock may stand still while a virtual
 * machine
 * is suspended.
 */
final class Lease {
    /**
     * 5 s shorter than the key's TTL: a successor never starts while this worker may still send.
     */
    static final Duration LENGTH = Duration.ofSeconds(25);

    private record Renewal(long nanos, long wallMillis) {}

    private final LongSupplier nanoTime;
    private final Clock wall;
    private volatile Renewal last;

    Lease(LongSupplier nanoTime, Clock wall) {
        this.nanoTime = nanoTime;
        this.wall = wall;
        this.last = new Renewal(nanoTime.getAsLong() - LENGTH.toNanos(), 0);
    }

    /** Call before a renewal is sent; run the result when the renewal succeeded. */
    Runnable sending() {
        Renewal moment = new Renewal(nanoTime.getAsLong(), wall.millis());
        return () -> last = moment;
    }

    boolean isValid() {
        Renewal renewal = last;
        return nanoTime.getAsLong() - renewal.nanos < LENGTH.toNanos()
                && wall.millis() - renewal.wallMillis < LENGTH.toMillis();
    }

    /** Ends the lease at once. */
    void end() {
        last = new Renewal(nanoTime.getAsLong() - LENGTH.toNanos(), 0);
    }
}
