package dev.berth.gateway;

import dev.berth.workflows.BoundedMap;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Map;

/**
 * Which refusals are logged: a hostile worker must not fill the disk, nor hide the refusals of
 * another caller.
 */
final class RefusalLog {
    /** Lines a second for one task, or for all callers without a certificate. */
    static final int LINES_PER_CALLER = 5;
    /** Lines a second for all callers together. */
    static final int LINES = 100;

    private static final int CALLERS = 1_000;

    private final TimeMeter time;
    private final Bucket total;
    /** Drops the least recently used. */
    private final Map<String, Bucket> byCaller = new BoundedMap<>(CALLERS);

    RefusalLog(TimeMeter time) {
        this.time = time;
        this.total = bucket(LINES);
    }

    private Bucket bucket(int perSecond) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .withCustomTimePrecision(time)
                .build();
    }

    /** @param caller the id of a task; empty without one */
    synchronized boolean mayLog(String caller) {
        Bucket known = byCaller.remove(caller);
        Bucket own = known == null ? bucket(LINES_PER_CALLER) : known;
        byCaller.put(caller, own);
        return own.tryConsume(1) && total.tryConsume(1);
    }
}
