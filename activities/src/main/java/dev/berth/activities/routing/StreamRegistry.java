package dev.berth.activities.routing;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;

/** Which replicas hold a stream of a user. {@link StreamEvents} go to them alone. */
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

    /** Adds or refreshes an entry. The caller need not wait: a lost one is refreshed. */
    public RedisFuture<Long> register(UserId userId, ReplicaId replica) {
        return register(RedisKeys.streams(userId), replica);
    }

    /** As {@link #register(UserId, ReplicaId)}, for the events of all users. */
    public RedisFuture<Long> registerFleet(ReplicaId replica) {
        return register(RedisKeys.FLEET_STREAMS, replica);
    }

    private RedisFuture<Long> register(String streams, ReplicaId replica) {
        return redis.eval(
                REGISTER,
                ScriptOutputType.INTEGER,
                new String[] {streams},
                replica.value(),
                Long.toString(TTL.toMillis()));
    }

    /** The replica holds no stream of all users any more. */
    public RedisFuture<Long> removeFleet(ReplicaId replica) {
        return redis.zrem(RedisKeys.FLEET_STREAMS, replica.value());
    }

    /** The replica holds no stream of the user any more. A lost removal ends with its time. */
    public RedisFuture<Long> remove(UserId userId, ReplicaId replica) {
        return redis.zrem(RedisKeys.streams(userId), replica.value());
    }
}
