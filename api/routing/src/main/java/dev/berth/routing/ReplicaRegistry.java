package dev.berth.routing;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;

/**
 * The entries of live replicas. Each renewal also looks for entries that have ended, and announces
 * them once, so that callers of a dead replica do not wait for the end of its routes.
 */
public final class ReplicaRegistry {
    /** A replica that renews no entry for this long is dead to its callers. */
    public static final Duration TTL = Duration.ofSeconds(5);
    /** How often a replica renews; four renewals may be lost. */
    public static final Duration RENEWAL = Duration.ofSeconds(1);

    /** KEYS: entry, all replicas. ARGV: replica, information, TTL, prefix of entries, channel. */
    private static final String RENEW = """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
            redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[3]), ARGV[1])
            local gone = {}
            for _, replica in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now))) do
              if redis.call('EXISTS', ARGV[4] .. replica) == 0 then
                redis.call('ZREM', KEYS[2], replica)
                redis.call('PUBLISH', ARGV[5], replica)
                gone[#gone + 1] = replica
              end
            end
            return gone
            """;

    private static final String REMOVE = """
            redis.call('ZREM', KEYS[2], ARGV[1])
            if redis.call('DEL', KEYS[1]) == 0 then return 0 end
            return redis.call('PUBLISH', ARGV[2], ARGV[1])
            """;

    private final RedisCommands<String, String> redis;

    public ReplicaRegistry(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    private static String[] keys(ReplicaId replica) {
        return new String[] {RedisKeys.REPLICA + replica, RedisKeys.REPLICAS};
    }

    /**
     * Renews the entry for {@link #TTL}.
     *
     * @return replicas whose end this call announced
     */
    public List<ReplicaId> renew(ReplicaInfo info) {
        return redis
                .<List<String>>eval(
                        RENEW,
                        ScriptOutputType.MULTI,
                        keys(info.replica()),
                        info.replica().value(),
                        Json.write(info),
                        Long.toString(TTL.toMillis()),
                        RedisKeys.REPLICA,
                        RedisKeys.REPLICA_GONE)
                .stream()
                .map(ReplicaId::new)
                .toList();
    }

    /** Announces an orderly end. Nothing happens when the entry has ended. */
    public void remove(ReplicaId replica) {
        redis.eval(REMOVE, ScriptOutputType.INTEGER, keys(replica), replica.value(), RedisKeys.REPLICA_GONE);
    }

    /** The live replicas, by id. */
    public List<ReplicaInfo> all() {
        String[] entries = redis.zrange(RedisKeys.REPLICAS, 0, -1).stream()
                .sorted()
                .map(replica -> RedisKeys.REPLICA + replica)
                .toArray(String[]::new);
        return entries.length == 0
                ? List.of()
                : redis.mget(entries).stream()
                        .filter(KeyValue::hasValue)
                        .map(entry -> Json.read(entry.getValue(), ReplicaInfo.class))
                        .toList();
    }
}
