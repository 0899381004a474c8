package dev.berth.routing;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.Environment;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One machine serves a user's environment: only that one knows which calls it has executed. The
 * lease outlives the machine's connection, since a call may still run there.
 */
public final class MachineLease {
    /** Longer than any call, with the settle time of an unknown order. */
    public static final Duration TTL = RouteRegistry.TTL;

    /** KEYS: lease, connection epoch. ARGV: machine, TTL, the epoch that is taken over. */
    private static final String ACQUIRE = """
            local holder = redis.call('GET', KEYS[1])
            local epoch = redis.call('GET', KEYS[2])
            if holder and holder ~= ARGV[1] and epoch ~= ARGV[3] then return epoch or '0' end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            return false
            """;

    private final RedisCommands<String, String> redis;

    public MachineLease(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /** The connection epoch of the machine that serves, and holds the lease. */
    public record Holder(long connectionEpoch) {}

    /**
     * Takes or renews the lease.
     *
     * @param takeOver the connection epoch that a person took for dead; null to wait for its end
     * @return another machine's holding, which keeps the lease; null when it is this machine's now
     */
    public @Nullable Holder acquire(UserId userId, Environment environment, String machine, @Nullable Long takeOver) {
        String epoch = redis.eval(
                ACQUIRE,
                ScriptOutputType.VALUE,
                new String[] {
                    RedisKeys.remoteMachine(userId, environment), RedisKeys.connectionEpoch(userId, environment)
                },
                machine,
                Long.toString(TTL.toMillis()),
                takeOver == null ? "" : Long.toString(takeOver));
        return epoch == null ? null : new Holder(Long.parseLong(epoch));
    }
}
