package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * All lifecycles, kept from one sweep to the next: only what became of them since is read. A list of 10,000 costs Temporal
 * and this process more than all else that a sweep reads, and nearly all of it is what the sweep before has read.
 */
final class KnownLifecycles {
    /** The index may be so late, and the clocks of those who write it and of this process so far apart. */
    private static final Duration LATE = Duration.ofMinutes(1);
    /** Then all are read anew, whatever the index left out. */
    private static final Duration TRUSTED = Duration.ofMinutes(10);

    private final LifecycleList list;
    private final InstantSource clock;
    private Map<UserId, WorkerPhase> known = new HashMap<>();
    private Instant allRead = Instant.EPOCH;
    private Instant read = Instant.EPOCH;

    KnownLifecycles(LifecycleList list, InstantSource clock) {
        this.list = list;
        this.clock = clock;
    }

    /** The state of each that runs. Fails when the list does; what was known before stays known. */
    synchronized Map<UserId, WorkerPhase> read() {
        Instant now = clock.instant();
        if (!now.isBefore(allRead.plus(TRUSTED)) || !readChanges()) {
            known = list.all();
            allRead = now;
        }
        read = now;
        return Map.copyOf(known);
    }

    /** False when they do not add up, such as after a workflow was deleted: the index does not tell of that. */
    private boolean readChanges() {
        Instant since = read.minus(LATE);
        long count = list.count();
        // Whose end and whose beginning are both found has begun again.
        list.ended(since).forEach(known::remove);
        known.putAll(list.changed(since));
        return known.size() == count;
    }
}
