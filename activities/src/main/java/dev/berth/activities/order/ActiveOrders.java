package dev.berth.activities.order;

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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Accepted orders without a first answer from the venue, which the admission ceilings count: for
 * each user, and for all users with an available worker.
 */
public final class ActiveOrders {
    /** The window of the drain rate. */
    public static final int RATE_SECONDS = 10;
    /** How long the count of a second is kept. */
    public static final int COUNT_KEPT_SECONDS = RATE_SECONDS + 5;

    /**
     * ARGV: order, whether it counts as drained, prefix of the counters, time to live of the
     * counters.
     */
    private static final String REMOVE = """
            redis.call('ZREM', KEYS[1], ARGV[1])
            if redis.call('ZREM', KEYS[2], ARGV[1]) == 0 then return 0 end
            if ARGV[2] == 'true' then
              local key = ARGV[3] .. redis.call('TIME')[1]
              redis.call('INCR', key)
              redis.call('EXPIRE', key, ARGV[4])
            end
            return 1
            """;

    /** Orders of a user with a suspended or failed worker count for that user only. */
    private static final String ADD = """
            if redis.call('HEXISTS', KEYS[3], ARGV[3]) == 0 then
              redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
            end
            return redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[1])
            """;

    private final RedisCommands<String, String> redis;

    public ActiveOrders(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /** An active order. */
    public record ActiveOrder(UserId userId, ClientOrderId clientOrderId) {
        static ActiveOrder parse(String member) {
            String[] parts = member.split(":", 2);
            return new ActiveOrder(new UserId(parts[0]), new ClientOrderId(parts[1]));
        }

        String member() {
            return RedisKeys.activeOrder(userId, clientOrderId);
        }
    }

    /** The order has its first answer, or is final. Repeatable. */
    public void release(ActiveOrder order) {
        remove(order, true);
    }

    /**
     * Removes an order that was admitted, but certainly not started. Repeatable.
     *
     * @return whether the order was counted
     */
    public boolean withdraw(ActiveOrder order) {
        return remove(order, false);
    }

    private boolean remove(ActiveOrder order, boolean drained) {
        Long removed = redis.eval(REMOVE, ScriptOutputType.INTEGER, keys(order), removal(order, drained));
        return removed == 1;
    }

    /** The same as {@link #withdraw}, without waiting for a slow connection. */
    public static void withdrawLater(ActiveOrder order, RedisAsyncCommands<String, String> redis) {
        var _ = redis.eval(REMOVE, ScriptOutputType.INTEGER, keys(order), removal(order, false));
    }

    private static String[] removal(ActiveOrder order, boolean drained) {
        return new String[] {
            order.member(), Boolean.toString(drained), RedisKeys.DRAINED, Integer.toString(COUNT_KEPT_SECONDS)
        };
    }

    /**
     * Adds a running order that is not counted. Repeatable.
     *
     * @return whether the order was missing
     */
    public boolean add(ActiveOrder order, Instant since) {
        Long added = redis.eval(
                ADD,
                ScriptOutputType.INTEGER,
                keys(order),
                order.member(),
                Long.toString(since.toEpochMilli()),
                RedisKeys.WAITS);
        return added == 1;
    }

    public long count() {
        return redis.zcard(RedisKeys.ACTIVE_ORDERS);
    }

    /** Since when the oldest waits; empty when none does. */
    public Optional<Instant> oldest() {
        return redis.zrangeWithScores(RedisKeys.ACTIVE_ORDERS, 0, 0).stream()
                .findFirst()
                .map(order -> Instant.ofEpochMilli((long) order.getScore()));
    }

    /** A page of the orders above this age, oldest first. */
    public List<ActiveOrder> olderThan(Duration age, int offset, int limit) {
        long now = Long.parseLong(redis.time().getFirst());
        return redis
                .zrangebyscore(
                        RedisKeys.ACTIVE_ORDERS,
                        Range.create(0, (now - age.toSeconds()) * 1000),
                        Limit.create(offset, limit))
                .stream()
                .map(ActiveOrder::parse)
                .toList();
    }

    /** Those of one user: exactly those that are admitted, unless Redis lost its data. */
    public List<ActiveOrder> of(UserId userId) {
        return redis.zrange(RedisKeys.activeOrders(userId), 0, -1).stream()
                .map(ActiveOrder::parse)
                .toList();
    }

    /** Users who have some, and an available worker. */
    public Set<UserId> users() {
        return redis.zrange(RedisKeys.ACTIVE_ORDERS, 0, -1).stream()
                .map(member -> ActiveOrder.parse(member).userId())
                .collect(Collectors.toSet());
    }

    /** Whether the order is counted. */
    public boolean has(ActiveOrder order) {
        return redis.zscore(RedisKeys.activeOrders(order.userId()), order.member()) != null;
    }

    private static String[] keys(ActiveOrder order) {
        return new String[] {
            RedisKeys.ACTIVE_ORDERS, RedisKeys.activeOrders(order.userId()), RedisKeys.unserved(order.userId())
        };
    }
}
