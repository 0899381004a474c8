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
        CANCEL(0),
        SUBMISSION(10),
        CHECK(30);

        /** Percent of the limit that are kept for what is more urgent. */
        private final int kept;

        Purpose(int kept) {
            this.kept = kept;
        }
    }

    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private int limit;
    private int left;
    private long windowEnd;

    /** @param limit requests of a minute, until the broker says how many */
    RequestBudget(int limit) {
        this(limit, System::nanoTime);
    }

    RequestBudget(int limit, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.limit = limit;
        this.left = limit;
        this.windowEnd = nanoTime.getAsLong() + WINDOW.toNanos();
    }

    /**
     * Takes one request from the budget; waits for it, for this time at most.
     *
     * @return false when the budget had none left for this purpose
     */
    synchronized boolean take(Purpose purpose, Duration atMost) throws InterruptedException {
        long deadline = nanoTime.getAsLong() + atMost.toNanos();
        while (!tryTake(purpose)) {
            long now = nanoTime.getAsLong();
            long wait = Math.min(deadline, windowEnd) - now;
            if (deadline <= now) {
                return false;
            }
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
        if (left <= limit * purpose.kept / 100) {
            return false;
        }
        left--;
        return true;
    }

    /** Of the limit of this minute, percent: 0 to 100. */
    synchronized int used() {
        return nanoTime.getAsLong() - windowEnd >= 0 ? 0 : 100 - Math.min(100, left * 100 / limit);
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
