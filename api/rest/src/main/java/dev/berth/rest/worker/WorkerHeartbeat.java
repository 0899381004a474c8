package dev.berth.rest.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
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
 * @param requestsUsed of the broker's request limit, percent, of the account that has used most;
 *     absent when the worker does not say
 * @param launchedAt when its process started
 * @param version of its program
 */
public record WorkerHeartbeat(
        long epoch,
        @Nullable Long heartbeatAgeMillis,
        @Nullable String currentOrder,
        @Nullable Instant lastOrderAt,
        @Nullable Instant idleAt,
        List<String> sessions,
        @Nullable Integer requestsUsed,
        @Nullable Instant launchedAt,
        @Nullable String version) {
    static final WorkerHeartbeat NONE = new WorkerHeartbeat(0, null, null, null, null, List.of(), null, null, null);

    private static final Logger LOG = LoggerFactory.getLogger(WorkerHeartbeat.class);

    /** Without Redis a worker is shown without its heartbeat. */
    static WorkerHeartbeat read(RedisCommands<String, String> redis, UserId userId) {
        try {
            long left = redis.pttl(RedisKeys.heartbeat(userId));
            Long age = left < 0 ? null : RedisKeys.HEARTBEAT_TTL.toMillis() - left;
            return of(redis.hgetall(RedisKeys.metadata(userId)), age);
        } catch (RedisException unavailable) {
            LOG.info("a worker is shown without its heartbeat, Redis does not answer: {}", unavailable.getMessage());
            return NONE;
        }
    }

    /**
     * Those of several users in one round trip, without their ages. Users without one are left out,
     * and all are while Redis is unreachable.
     */
    static Map<UserId, WorkerHeartbeat> read(StatefulRedisConnection<String, String> redis, Collection<UserId> users) {
        Map<UserId, RedisFuture<Map<String, String>>> reads = new HashMap<>();
        try {
            users.forEach(user -> reads.put(user, redis.async().hgetall(RedisKeys.metadata(user))));
            if (!LettuceFutures.awaitAll(redis.getTimeout(), reads.values().toArray(RedisFuture[]::new))) {
                return Map.of();
            }
        } catch (RedisException unavailable) {
            LOG.info("workers are shown without their heartbeats, Redis does not answer: {}", unavailable.getMessage());
            return Map.of();
        }
        Map<UserId, WorkerHeartbeat> heartbeats = new HashMap<>();
        reads.forEach((user, read) -> {
            Map<String, String> metadata = read.toCompletableFuture().join();
            if (!metadata.isEmpty()) {
                heartbeats.put(user, of(metadata, null));
            }
        });
        return heartbeats;
    }

    /** @param metadata the hash {@code worker:metadata:{userId}} */
    static WorkerHeartbeat of(Map<String, String> metadata, @Nullable Long heartbeatAgeMillis) {
        String order = metadata.getOrDefault("current_order", "");
        String version = metadata.getOrDefault("version", "");
        return new WorkerHeartbeat(
                number(metadata.getOrDefault("epoch", "0")),
                heartbeatAgeMillis,
                order.isBlank() ? null : order,
                time(metadata.getOrDefault("last_order_at", "")),
                time(metadata.getOrDefault("idle_at", "")),
                Stream.of(metadata.getOrDefault("sessions", "").split("[,\\s]+"))
                        .filter(session -> !session.isBlank())
                        .toList(),
                metadata.containsKey("requests_used") ? (int) number(metadata.get("requests_used")) : null,
                time(metadata.getOrDefault("launched_at", "")),
                version.isBlank() ? null : version);
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
