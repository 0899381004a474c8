package dev.berth.rest.remote;

import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.UserId;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Map;

/** Limits the frames of each user's machines at this replica, over all their connections. */
final class RemoteRates {
    /** A user's buckets take about 500 bytes. The bucket of an inactive user is full anyway. */
    private static final int MAX_BUCKETS = 3 * RemoteLimits.CONNECTIONS;

    /** What is counted. */
    enum Kind {
        /** Every frame. An SDK sends up to 10,000 reports at once when it connects anew. */
        FRAME(2_000, 20_000),
        /** One that is passed on: a query in PostgreSQL and a signal of Temporal. */
        REPORT(100, 500),
        /** One in 10 s for each connection. */
        PING(5, 60);

        private final int perSecond;
        private final int burst;

        Kind(int perSecond, int burst) {
            this.perSecond = perSecond;
            this.burst = burst;
        }

        int perSecond() {
            return perSecond;
        }

        int burst() {
            return burst;
        }
    }

    private record Key(UserId userId, Kind kind) {}

    private final TimeMeter time;
    /** Drops the least recently used. */
    private final Map<Key, Bucket> buckets = new BoundedMap<>(MAX_BUCKETS);

    RemoteRates(TimeMeter time) {
        this.time = time;
    }

    /** False when the user's machines send too many. */
    boolean take(UserId userId, Kind kind) {
        return bucket(new Key(userId, kind)).tryConsume(1);
    }

    private synchronized Bucket bucket(Key key) {
        Bucket known = buckets.remove(key);
        Bucket bucket = known == null ? newBucket(key.kind()) : known;
        buckets.put(key, bucket);
        return bucket;
    }

    private Bucket newBucket(Kind kind) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(kind.burst()).refillGreedy(kind.perSecond(), Duration.ofSeconds(1)))
                .withCustomTimePrecision(time)
                .build();
    }
}
