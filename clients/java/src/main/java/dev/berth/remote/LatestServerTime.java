package dev.berth.remote;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server's time, never assumed too early. A time that the server sent counts from the moment
 * when this side asked for it, so this clock is ahead by one round trip at most. Elapsed time is
 * the longer one of two clocks: a monotonic clock may stop while the machine sleeps, and people set
 * the other one.
 */
final class LatestServerTime {
    private final LongSupplier nanos;
    private final InstantSource wall;
    private @Nullable Instant server;
    private ClockReading reading;

    /** To be taken before the server is asked for its time. */
    record ClockReading(long nanos, Instant wall) {}

    LatestServerTime() {
        this(System::nanoTime, InstantSource.system());
    }

    LatestServerTime(LongSupplier nanos, InstantSource wall) {
        this.nanos = nanos;
        this.wall = wall;
        this.reading = read();
    }

    final ClockReading read() {
        return new ClockReading(nanos.getAsLong(), wall.instant());
    }

    /** The server sent this time after {@code asked} was taken. */
    synchronized void observe(Instant sent, ClockReading asked) {
        server = sent;
        reading = asked;
    }

    /** The latest that the server's clock can show. */
    synchronized Instant now() {
        if (server == null) {
            throw new IllegalStateException("the server's time is not known yet");
        }
        Duration monotonic = Duration.ofNanos(nanos.getAsLong() - reading.nanos());
        Duration shown = Duration.between(reading.wall(), wall.instant());
        Duration elapsed = monotonic.compareTo(shown) > 0 ? monotonic : shown;
        return server.plus(elapsed.isNegative() ? Duration.ZERO : elapsed);
    }
}
