package dev.berth.host.order;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server's time, estimated from the start times of activity tasks. The task with the shortest
 * delivery gives the best estimate; a task that waited for a frozen process gives a worse one. The
 * host's wall clock plays no part.
 */
public final class ServerClock {
    /** Two clocks may drift apart by 0.2 s in this time; older tasks are ignored. */
    private static final Duration WINDOW = Duration.ofHours(1);

    /**
     * The best estimate of one window: how far the server's clock is ahead of the monotonic one.
     */
    private record Estimate(long offsetNanos, long sinceNanos) {}

    private final LongSupplier nanoTime;
    private @Nullable Estimate current;
    private @Nullable Estimate previous;

    public ServerClock() {
        this(System::nanoTime);
    }

    ServerClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A task arrived that the server started at {@code startedMillis} by its own clock. */
    public synchronized void observe(long startedMillis) {
        long now = nanoTime.getAsLong();
        long offset = Duration.ofMillis(startedMillis).toNanos() - now;
        if (current == null || now - current.sinceNanos > WINDOW.toNanos()) {
            previous = current;
            current = new Estimate(offset, now);
        } else {
            current = new Estimate(Math.max(current.offsetNanos, offset), current.sinceNanos);
        }
    }

    /**
     * The earliest time that the server's clock can show now.
     *
     * @throws IllegalStateException before the first task
     */
    synchronized Instant now() {
        if (current == null) {
            throw new IllegalStateException("no task has arrived yet");
        }
        long now = nanoTime.getAsLong();
        long offset = current.offsetNanos;
        if (previous != null && now - previous.sinceNanos <= 2 * WINDOW.toNanos()) {
            offset = Math.max(offset, previous.offsetNanos);
        }
        return Instant.ofEpochSecond(0, now + offset);
    }
}
