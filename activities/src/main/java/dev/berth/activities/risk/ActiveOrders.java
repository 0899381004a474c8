package dev.berth.activities.risk;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Orders that were accepted and have no first answer from the venue: what the admission ceiling counts. */
public final class ActiveOrders {
    /** How far back the drain rate looks. */
    static final int RATE_SECONDS = 10;
    /** A second's count is kept until no rate needs it. */
    static final int COUNT_KEPT_SECONDS = RATE_SECONDS + 5;

    /** ARGV: the order, whether it counts as drained, the prefix of the counters, how long they are kept. */
    private static final String REMOVE = """
            redis.call('ZREM', KEYS[2], ARGV[1])
            if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return 0 end
            if ARGV[2] == 'true' then
              local key = ARGV[3] .. redis.call('TIME')[1]
              redis.call('INCR', key)
              redis.call('EXPIRE', key, ARGV[4])
            end
            return 1
            """;

    private static final String ADD = """
            redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[1])
            return redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
            """;

    private final RedisCommands<String, String> redis;

    public ActiveOrders(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /** One of them. */
    public record Active(UserId userId, ClientOrderId clientOrderId) {
        static Active parse(String member) {
            String[] parts = member.split(":", 2);
            return new Active(new UserId(parts[0]), new ClientOrderId(parts[1]));
        }

        String member() {
            return RedisKeys.activeOrder(userId, clientOrderId);
        }
    }

    /** It has its first answer, or is over. Again: nothing happens. */
    public void release(Active order) {
        remove(order, true);
    }

    /**
     * It was admitted, and surely was never started. Again: nothing happens.
     *
     * @return whether it was counted until now
     */
    public boolean withdraw(Active order) {
        return remove(order, false);
    }

    private boolean remove(Active order, boolean drained) {
        Long removed = redis.eval(REMOVE, ScriptOutputType.INTEGER, keys(order), removal(order, drained));
        return removed == 1;
    }

    /** The same as {@link #withdraw}, over a connection whose answers are late; nobody waits for it. */
    static void withdrawLater(Active order, RedisAsyncCommands<String, String> redis) {
        var _ = redis.eval(REMOVE, ScriptOutputType.INTEGER, keys(order), removal(order, false));
    }

    private static String[] removal(Active order, boolean drained) {
        return new String[] {
            order.member(), Boolean.toString(drained), RedisKeys.DRAINED, Integer.toString(COUNT_KEPT_SECONDS)
        };
    }

    /**
     * One that runs and is missing here. There already: nothing happens.
     *
     * @return whether it was missing
     */
    public boolean add(Active order, Instant since) {
        Long added = redis.eval(
                ADD, ScriptOutputType.INTEGER, keys(order), order.member(), Long.toString(since.toEpochMilli()));
        return added == 1;
    }

    public long count() {
        return redis.zcard(RedisKeys.ACTIVE_ORDERS);
    }

    /** A page of those that are older than this, oldest first. */
    public List<Active> olderThan(Duration age, int offset, int limit) {
        long now = Long.parseLong(redis.time().getFirst());
        return redis
                .zrangebyscore(
                        RedisKeys.ACTIVE_ORDERS,
                        Range.create(0, (now - age.toSeconds()) * 1000),
                        Limit.create(offset, limit))
                .stream()
                .map(Active::parse)
                .toList();
    }

    /** Whether it is among them. */
    public boolean has(Active order) {
        return redis.zscore(RedisKeys.ACTIVE_ORDERS, order.member()) != null;
    }

    private static String[] keys(Active order) {
        return new String[] {RedisKeys.ACTIVE_ORDERS, RedisKeys.activeOrders(order.userId())};
    }
}
