package dev.berth.host.broker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The requests that one account may still send before its broker's window ends. A share is kept for
 * submissions, and a smaller one for cancels alone. The broker's own count corrects this one: other
 * applications use the account, too.
 */
final class RequestBudget {
    /** What a request is for, the most urgent first. */
    enum Purpose {
        CANCEL(0, WINDOW),
        SUBMISSION(10, WINDOW),
        /** A check waits no longer: it would keep cancels from the calls that run at once. */
        CHECK(30, Duration.ofSeconds(2)),
        /** Later is soon enough for what only shows the account. */
        READ(50, Duration.ZERO);

        /** Percent of the limit that are kept for what is more urgent. */
        private final int kept;

        private final Duration longestWait;

        Purpose(int kept, Duration longestWait) {
            this.kept = kept;
            this.longestWait = longestWait;
        }

        /** How much of its time a call may wait for the budget. */
        Duration waitWithin(Duration limit) {
            return limit.compareTo(longestWait) > 0 ? longestWait : limit;
        }
    }

    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private int limit;
    private int left;
    private long windowEnd;
    /** No request is sent before. */
    private long pausedUntil;

    /** @param limit requests of a minute, until the broker says how many */
    RequestBudget(int limit) {
        this(limit, System::nanoTime);
    }

    RequestBudget(int limit, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.limit = limit;
        this.left = limit;
        this.pausedUntil = nanoTime.getAsLong();
        this.windowEnd = pausedUntil + WINDOW.toNanos();
    }

    /**
     * Takes one request from the budget; waits for it, for this time at most, and not at all when
     * the broker's pause is longer.
     *
     * @return false when the budget had none left for this purpose
     */
    synchronized boolean take(Purpose purpose, Duration atMost) throws InterruptedException {
        long deadline = nanoTime.getAsLong() + atMost.toNanos();
        while (!tryTake(purpose)) {
            long now = nanoTime.getAsLong();
            if (deadline - now <= 0 || pausedUntil - deadline > 0) {
                return false;
            }
            long next = pausedUntil - now > 0 ? pausedUntil : windowEnd;
            long wait = Math.min(deadline - now, next - now);
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait) + 1));
        }
        return true;
    }

    private boolean tryTake(Purpose purpose) {
        long now = nanoTime.getAsLong();
        if (now - windowEnd >= 0) {
            left = limit;
            windowEnd = now + WINDOW.toNanos();
        }
        if (pausedUntil - now > 0 || left <= limit * purpose.kept / 100) {
            return false;
        }
        left--;
        return true;
    }

    /** The used part of the limit of this minute, percent: 0 to 100. */
    synchronized int used() {
        return nanoTime.getAsLong() - windowEnd >= 0 ? 0 : 100 - Math.min(100, left * 100 / limit);
    }

    /** The broker wants no request for so long. No effect while a longer pause lasts. */
    synchronized void pause(Duration pause) {
        long end = nanoTime.getAsLong() + pause.toNanos();
        if (end - pausedUntil > 0) {
            pausedUntil = end;
        }
    }

    /**
     * The broker says how many are left.
     *
     * @param reset until its window ends
     */
    synchronized void observe(int brokersLimit, int remaining, Duration reset) {
        long end = nanoTime.getAsLong() + reset.toNanos();
        boolean isNewWindow = brokersLimit != limit || end - windowEnd > WINDOW.toNanos() / 2;
        limit = brokersLimit;
        left = isNewWindow ? remaining : Math.min(left, remaining);
        windowEnd = end;
        notifyAll();
    }
}
