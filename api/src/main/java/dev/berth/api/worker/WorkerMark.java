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
 * What a live worker says of itself in Redis.
 *
 * @param epoch of the worker that says it; 0 when nobody does
 * @param heartbeatAgeMillis since the mark was last renewed; absent without a mark
 * @param currentOrder the client order id of the order in hand
 * @param idleAt when it stops unless an order comes or works at a venue; absent while one is in hand
 * @param sessions the accounts whose sessions are open
 */
record WorkerMark(
        long epoch,
        @Nullable Long heartbeatAgeMillis,
        @Nullable String currentOrder,
        @Nullable Instant lastOrderAt,
        @Nullable Instant idleAt,
        List<String> sessions) {
    static final WorkerMark NONE = new WorkerMark(0, null, null, null, null, List.of());

    private static final Logger LOG = LoggerFactory.getLogger(WorkerMark.class);

    /** Without Redis a worker can be shown all the same, only without what it says of itself. */
    static WorkerMark read(RedisCommands<String, String> redis, UserId userId) {
        try {
            long left = redis.pttl(RedisKeys.mark(userId));
            Long age = left < 0 ? null : RedisKeys.MARK_TTL.toMillis() - left;
            return of(redis.hgetall(RedisKeys.metadata(userId)), age);
        } catch (RedisException away) {
            LOG.info("a worker is shown without its mark, Redis does not answer: {}", away.getMessage());
            return NONE;
        }
    }

    /** @param said the hash {@code worker:metadata:{userId}} */
    static WorkerMark of(Map<String, String> said, @Nullable Long heartbeatAgeMillis) {
        String order = said.getOrDefault("current_order", "");
        return new WorkerMark(
                number(said.getOrDefault("epoch", "0")),
                heartbeatAgeMillis,
                order.isBlank() ? null : order,
                time(said.getOrDefault("last_order_at", "")),
                time(said.getOrDefault("idle_at", "")),
                Stream.of(said.getOrDefault("sessions", "").split("[,\\s]+"))
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
