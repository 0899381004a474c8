package dev.berth.gateway;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** What one task has used of its share of this gateway. */
final class TaskQuota {
    private final TimeMeter time;
    private final Map<CallKind, Bucket> rates = new EnumMap<>(CallKind.class);
    private final Map<CallKind, Integer> underWay = new EnumMap<>(CallKind.class);
    private final Bucket bytes;
    private long unansweredBytes;

    TaskQuota(TimeMeter time) {
        this.time = time;
        this.bytes = bucket(GatewayLimits.UNANSWERED_BYTES_PER_TASK, GatewayLimits.BYTES_PER_SECOND_AND_TASK);
    }

    private Bucket bucket(long burst, long perSecond) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(burst).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .withCustomTimePrecision(time)
                .build();
    }

    /** Begins a call; false when it exceeds the quota of its kind, and then there is no end. */
    synchronized boolean begin(CallKind kind) {
        int now = underWay.getOrDefault(kind, 0);
        if (now >= kind.atOnce()
                || !rates.computeIfAbsent(kind, it -> bucket(it.burst(), it.perSecond()))
                        .tryConsume(1)) {
            return false;
        }
        underWay.put(kind, now + 1);
        return true;
    }

    /** A part of a request arrived; false when the task sends too much. It counts either way. */
    synchronized boolean receive(long arrived) {
        unansweredBytes += arrived;
        return unansweredBytes <= GatewayLimits.UNANSWERED_BYTES_PER_TASK && bytes.tryConsume(arrived);
    }

    /** Ends a call. */
    synchronized void end(CallKind kind, long received) {
        underWay.merge(kind, -1, Integer::sum);
        unansweredBytes -= received;
    }
}
