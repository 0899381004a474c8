package dev.berth.api.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeat of a live worker in Redis.
 *
 * @param epoch of the worker; 0 without a heartbeat
 * @param heartbeatAgeMillis since the last renewal; absent if the key expired
 * @param currentOrder the client order id of the current order
 * @param idleAt when the worker stops unless an order comes or works at a venue; absent during an
 *     order
 * @param sessions the accounts whose sessions are open
 */
record WorkerHeartbeat(
        long epoch,
        @Nullable Long heartbeatAgeMillis,
        @Nullable String currentOrder,
        @Nullable Instant lastOrderAt,
        @Nullable Instant idleAt,
        List<String> sessions) {
    static final WorkerHeartbeat NONE = new WorkerHeartbeat(0, null, null, null, null, List.of());

    private static final Logger LOG = LoggerFactory.getLogger(WorkerHeartbeat.class);

    /** Without Redis a worker is shown without its heartbeat. */
    static WorkerHeartbeat read(RedisCommands<String, String> redis, UserId userId) {
        try {
            long left = redis.pttl(RedisKeys.mark(userId));
            Long age = left < 0 ? null : RedisKeys.MARK_TTL.toMillis() - left;
            return of(redis.hgetall(RedisKeys.metadata(userId)), age);
        } catch (RedisException away) {
            LOG.info("a worker is shown without its heartbeat, Redis does not answer: {}", away.getMessage());
            return NONE;
        }
    }

    /** @param metadata the hash {@code worker:metadata:{userId}} */
    static WorkerHeartbeat of(Map<String, String> metadata, @Nullable Long heartbeatAgeMillis) {
        String order = metadata.getOrDefault("current_order", "");
        return new WorkerHeartbeat(
                number(metadata.getOrDefault("epoch", "0")),
                heartbeatAgeMillis,
                order.isBlank() ? null : order,
                time(metadata.getOrDefault("last_order_at", "")),
                time(metadata.getOrDefault("idle_at", "")),
                Stream.of(metadata.getOrDefault("sessions", "").split("[,\\s]+"))
                        .filter(session -> !session.isBlank())
                        .toList());
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }

    private static @Nullable Instant time(String text) {
        try {
            return text.isBlank() ? null : Instant.parse(text);
        } catch (DateTimeException foreign) {
            return null;
        }
    }
}
