package dev.berth.rest.stream;

import dev.berth.workflows.UserId;
import java.time.Duration;
import java.util.Optional;

/**
 * When one stream looks at its user's worker: after a hint, and until the worker is settled; else
 * only when its entry in Redis changes, so that an idle stream costs no query.
 */
final class WorkerFollower {
    private static final Duration EVERY = Duration.ofMillis(500);
    /** A hint comes before the lifecycle has taken the step that follows from it. */
    private static final long AFTER_HINT_NANOS = Duration.ofSeconds(3).toNanos();
    /** How long to follow a worker that cannot start; the lifecycle's limits are far shorter. */
    private static final long LONGEST_NANOS = Duration.ofMinutes(5).toNanos();

    private final WorkerWatch watch;
    private final UserId userId;
    private String fingerprint = "";
    private boolean settled = true;
    private long hintedNanos = System.nanoTime() - LONGEST_NANOS;
    private long lookedNanos = System.nanoTime();

    WorkerFollower(WorkerWatch watch, UserId userId) {
        this.watch = watch;
        this.userId = userId;
    }

    /** The worker as the stream begins. */
    Optional<WorkerChange> first() {
        fingerprint = watch.fingerprint(userId);
        return look();
    }

    private Optional<WorkerChange> look() {
        lookedNanos = System.nanoTime();
        Optional<WorkerChange> now = watch.look(userId);
        settled = now.map(WorkerChange::isSettled).orElse(settled);
        return now;
    }

    /**
     * Looks if it is time.
     *
     * @return when to call again; empty when only a hint or a change in Redis matters
     */
    Optional<Duration> follow(boolean hinted) {
        String now = watch.fingerprint(userId);
        if (hinted || !now.equals(fingerprint)) {
            fingerprint = now;
            hintedNanos = System.nanoTime();
        }
        long sinceHint = System.nanoTime() - hintedNanos;
        if (sinceHint > LONGEST_NANOS || (settled && sinceHint > AFTER_HINT_NANOS)) {
            return Optional.empty();
        }
        if (System.nanoTime() - lookedNanos >= EVERY.toNanos()) {
            look();
        }
        return Optional.of(EVERY);
    }
}
