package dev.berth.host.order;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server's time, estimated from the start times of activity tasks. The task with the shortest
 * delivery gives the best estimate; a task that waited for a frozen process gives a worse one. The
 * monotonic clock may stand still while the machine is suspended, so that what the wall clock has
 * advanced more counts as well, up to a bound: a longer pause ends the lease, and a wall clock that
 * was set counts for nothing.
 */
public final class ServerClock {
    /** Two clocks may drift apart by 0.2 s in this time; older tasks are ignored. */
    private static final Duration WINDOW = Duration.ofHours(1);

    /**
     * The best estimate of one window: how far the server's clock is ahead of the monotonic one.
     */
    private record Estimate(long offsetNanos, long sinceNanos) {
        Estimate plus(long nanos) {
            return new Estimate(offsetNanos + nanos, sinceNanos);
        }
    }

    /** The lease lasts 25 s by either clock. */
    private static final Duration LONGEST_SUSPENSION = Duration.ofSeconds(30);

    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;
    /** How far the wall clock is ahead of the monotonic one, at the last task. */
    private long wallOffsetNanos;

    private @Nullable Estimate current;
    private @Nullable Estimate previous;

    public ServerClock() {
        this(System::nanoTime, System::currentTimeMillis);
    }

    ServerClock(LongSupplier nanoTime, LongSupplier wallMillis) {
        this.nanoTime = nanoTime;
        this.wallMillis = wallMillis;
    }

    /** A task arrived that the server started at {@code startedMillis} by its own clock. */
    public synchronized void observe(long startedMillis) {
        long now = nanoTime.getAsLong();
        long offset = Duration.ofMillis(startedMillis).toNanos() - now;
        long suspended = current == null ? 0 : suspendedNanos(now);
        wallOffsetNanos = wallOffset(now);
        if (current == null || now - current.sinceNanos > WINDOW.toNanos()) {
            previous = current == null ? null : current.plus(suspended);
            current = new Estimate(offset, now);
        } else {
            previous = previous == null ? null : previous.plus(suspended);
            current = new Estimate(Math.max(current.offsetNanos + suspended, offset), current.sinceNanos);
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
        return Instant.ofEpochSecond(0, now + offset + suspendedNanos(now));
    }

    private long wallOffset(long now) {
        return Duration.ofMillis(wallMillis.getAsLong()).toNanos() - now;
    }

    /** How much more the wall clock has advanced since the last task. */
    private long suspendedNanos(long now) {
        long suspended = wallOffset(now) - wallOffsetNanos;
        return suspended > 0 && suspended <= LONGEST_SUSPENSION.toNanos() ? suspended : 0;
    }
}
