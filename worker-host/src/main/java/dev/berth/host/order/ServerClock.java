package dev.berth.host.order;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server's clock as this process can know it. Every task says when the server handed it out, and the one that took
 * the shortest way here says it best: so the way of a task counts too, such as when it lay before a process that was
 * frozen. The wall clock of the host plays no part.
 */
public final class ServerClock {
    /** Two clocks may drift apart by 0.2 s in this time; a task that came longer ago is asked no more. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    /** The best of a stretch of time: how far the server's clock is ahead of the monotonic one. */
    private record Best(long aheadNanos, long beganNanos) {}

    private final LongSupplier nanoTime;
    private @Nullable Best current;
    private @Nullable Best before;

    public ServerClock() {
        this(System::nanoTime);
    }

    ServerClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A task came, which the server handed out at {@code startedMillis} by its own clock. */
    public synchronized void heard(long startedMillis) {
        long now = nanoTime.getAsLong();
        long ahead = Duration.ofMillis(startedMillis).toNanos() - now;
        if (current == null || now - current.beganNanos > REMEMBERED.toNanos()) {
            before = current;
            current = new Best(ahead, now);
        } else {
            current = new Best(Math.max(current.aheadNanos, ahead), current.beganNanos);
        }
    }

    /**
     * What time it is there, at least.
     *
     * @throws IllegalStateException before the first task
     */
    synchronized Instant now() {
        if (current == null) {
            throw new IllegalStateException("no task was heard of");
        }
        long now = nanoTime.getAsLong();
        long ahead = current.aheadNanos;
        if (before != null && now - before.beganNanos <= 2 * REMEMBERED.toNanos()) {
            ahead = Math.max(ahead, before.aheadNanos);
        }
        return Instant.ofEpochSecond(0, now + ahead);
    }
}
