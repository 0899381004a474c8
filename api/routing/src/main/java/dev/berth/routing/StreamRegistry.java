package dev.berth.routing;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;

/**
 * Which replicas hold a stream of a user, or of the fleet. {@link StreamEvents} go to them alone.
 */
public final class StreamRegistry {
    /** A replica that refreshes no entry for this long gets no more events. */
    public static final Duration TTL = Duration.ofSeconds(30);
    /** How often a replica refreshes its entries. */
    public static final Duration REFRESH = Duration.ofSeconds(10);

    /** KEYS: streams. ARGV: replica, TTL. */
    private static final String REGISTER = """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
            redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
            return redis.call('PEXPIRE', KEYS[1], ARGV[2])
            """;

    private final RedisAsyncCommands<String, String> redis;

    public StreamRegistry(RedisAsyncCommands<String, String> redis) {
        this.redis = redis;
    }

    /**
     * Adds or refreshes an entry. The caller need not wait: a lost one is refreshed.
     *
     * @param streams {@code RedisKeys.streams} or {@code RedisKeys.FLEET_STREAMS}
     */
    public RedisFuture<Long> register(String streams, ReplicaId replica) {
        return redis.eval(
                REGISTER,
                ScriptOutputType.INTEGER,
                new String[] {streams},
                replica.value(),
                Long.toString(TTL.toMillis()));
    }

    /** The replica holds no such stream any more. A lost removal ends with its time. */
    public RedisFuture<Long> remove(String streams, ReplicaId replica) {
        return redis.zrem(streams, replica.value());
    }
}
