package dev.berth.temporal.client;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The running lifecycles, kept from one sweep to the next: a sweep reads only the changes. To list
 * 10,000 lifecycles costs Temporal and this process more than everything else that a sweep reads.
 */
public final class KnownLifecycles {
    /**
     * Covers the delay of visibility and the difference between the clocks of its writers and this
     * process.
     */
    private static final Duration DELAY = Duration.ofMinutes(1);
    /** After this time all lifecycles are read again, in case visibility lost a change. */
    private static final Duration FULL_READ_EVERY = Duration.ofMinutes(10);

    /** Lifecycles by Temporal's visibility. */
    public interface Index {
        /** The number of running lifecycles. */
        long count();

        /** All running lifecycles. */
        Map<UserId, WorkerPhase> all();

        /** Running lifecycles that started or changed their phase at this time or later. */
        Map<UserId, WorkerPhase> changedSince(Instant time);

        /** Lifecycles that closed at this time or later; a later run may have started. */
        Set<UserId> closedSince(Instant time);
    }

    private final Index index;
    private final InstantSource clock;
    private Map<UserId, WorkerPhase> known = new HashMap<>();
    private Instant lastFullRead = Instant.EPOCH;
    private Instant lastRead = Instant.EPOCH;

    public KnownLifecycles(Index index, InstantSource clock) {
        this.index = index;
        this.clock = clock;
    }

    /** The phase of each running lifecycle. A failed read keeps what is known. */
    public synchronized Map<UserId, WorkerPhase> read() {
        Instant now = clock.instant();
        if (!now.isBefore(lastFullRead.plus(FULL_READ_EVERY)) || !readChanges()) {
            known = index.all();
            lastFullRead = now;
        }
        lastRead = now;
        return Map.copyOf(known);
    }

    /**
     * False when the result does not match the count: visibility does not report deleted workflows.
     */
    private boolean readChanges() {
        Instant since = lastRead.minus(DELAY);
        long count = index.count();
        // Remove first: a lifecycle that is both closed and changed has started again.
        index.closedSince(since).forEach(known::remove);
        known.putAll(index.changedSince(since));
        return known.size() == count;
    }
}
