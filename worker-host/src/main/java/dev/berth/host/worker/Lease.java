package dev.berth.host.worker;

import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The permit to send. It runs out before the mark in Redis can, on this process's monotonic clock and on the wall
 * clock, whichever says so first: the monotonic one may stand still while a virtual machine is suspended.
 */
final class Lease {
    /** 5 s shorter than the mark's TTL, so that a successor never starts while this one may still send. */
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

    /** Call before a renewal is sent; run the result when Redis said yes. */
    Runnable sending() {
        Renewal moment = new Renewal(nanoTime.getAsLong(), wall.millis());
        return () -> last = moment;
    }

    boolean isValid() {
        Renewal renewal = last;
        return nanoTime.getAsLong() - renewal.nanos < LENGTH.toNanos()
                && wall.millis() - renewal.wallMillis < LENGTH.toMillis();
    }

    /** From now on there is none. */
    void end() {
        last = new Renewal(nanoTime.getAsLong() - LENGTH.toNanos(), 0);
    }
}
