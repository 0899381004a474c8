package dev.berth.routing;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events for the replicas that hold a stream of the user or of the fleet, and for no others. An
 * event is a hint: what happened is read from PostgreSQL, so a lost one costs time and nothing
 * else.
 */
public final class StreamEvents {
    /** Longer than a workflow needs for the answer of its activity. */
    private static final Duration ANSWER_KEPT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(StreamEvents.class);

    /**
     * KEYS: streams of the user, answer, streams of the fleet, the user's epoch. ARGV: prefix of
     * channels, event, how long the answer is kept or 0, the epoch of the worker that says it or
     * -1. Returns -1, without effect, for a worker whose user has a newer one.
     */
    private static final String PUBLISH = """
            if ARGV[4] ~= '-1' then
                local epoch = redis.call('GET', KEYS[4])
                if epoch and tonumber(epoch) > tonumber(ARGV[4]) then return -1 end
            end
            if ARGV[3] ~= '0' then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
            local time = redis.call('TIME')
            local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
            local notified, number = {}, 0
            for _, streams in ipairs({KEYS[1], KEYS[3]}) do
                for _, replica in ipairs(redis.call('ZRANGEBYSCORE', streams, now, '+inf')) do
                    if not notified[replica] then
                        notified[replica], number = true, number + 1
                        redis.call('PUBLISH', ARGV[1] .. replica, ARGV[2])
                    end
                end
            end
            return number
            """;

    /** With the user's id after it: the event of {@link #publishAccount}. */
    public static final String ACCOUNT = "account:";

    private static final long NO_WORKER = -1;
    private static final long SUPERSEDED = -1;

    private final RedisCommands<String, String> redis;

    public StreamEvents(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /**
     * The order changed, and its workflow knows.
     *
     * @return how many replicas were told
     */
    public long publish(OrderState order) {
        return publish(order, Duration.ZERO, NO_WORKER);
    }

    /**
     * The venue answered, and the order's workflow does not know yet.
     *
     * @param epoch of the worker that says so
     * @return false, without effect, when the user has a newer worker
     */
    public boolean publishAnswer(OrderState order, long epoch) {
        // FAILED is no answer of the venue, and a requeue may continue the order.
        boolean answers = !order.status().isUnanswered() && order.status() != OrderStatus.FAILED;
        return publish(order, answers ? ANSWER_KEPT : Duration.ZERO, epoch) != SUPERSEDED;
    }

    private long publish(OrderState order, Duration kept, long epoch) {
        UserId userId = order.request().userId();
        return publish(
                new String[] {
                    RedisKeys.streams(userId),
                    RedisKeys.orderAnswer(userId, order.request().clientOrderId()),
                    RedisKeys.FLEET_STREAMS,
                    RedisKeys.epoch(userId)
                },
                Json.write(order),
                kept,
                epoch);
    }

    /** Something about the user's worker may have changed. Does not fail. */
    public void publishWorker(UserId userId) {
        hint(userId, userId.value());
    }

    /** Something about the user's accounts changed. Does not fail. */
    public void publishAccount(UserId userId) {
        hint(userId, ACCOUNT + userId);
    }

    private void hint(UserId userId, String event) {
        try {
            String streams = RedisKeys.streams(userId);
            publish(new String[] {streams, "", streams, RedisKeys.epoch(userId)}, event, Duration.ZERO, NO_WORKER);
        } catch (RedisException unavailable) {
            LOG.debug("no hint about a worker or an account, Redis is unavailable: {}", unavailable.getMessage());
        }
    }

    private long publish(String[] keys, String event, Duration kept, long epoch) {
        return redis.<Long>eval(
                PUBLISH,
                ScriptOutputType.INTEGER,
                keys,
                RedisKeys.EVENTS,
                event,
                Long.toString(kept.toMillis()),
                Long.toString(epoch));
    }

    /** The order with the venue's answer, which its workflow may not have yet. */
    public OrderState withAnswer(OrderState order) {
        return order.status().isUnanswered()
                ? answer(order).map(answered -> answered.to(order)).orElse(order)
                : order;
    }

    private Optional<OrderState> answer(OrderState order) {
        try {
            String json = redis.get(RedisKeys.orderAnswer(
                    order.request().userId(), order.request().clientOrderId()));
            return Optional.ofNullable(json).map(text -> Json.read(text, OrderState.class));
        } catch (RedisException | IllegalArgumentException unavailable) {
            LOG.debug("an order is shown as its workflow has it: {}", unavailable.getMessage());
            return Optional.empty();
        }
    }
}
