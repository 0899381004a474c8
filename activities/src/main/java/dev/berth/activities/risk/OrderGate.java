package dev.berth.activities.risk;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.Terms;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.RiskView;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Where submissions come in: one round trip to Redis says whether an order is let in, and counts it. */
public final class OrderGate {
    private static final Duration ANSWER = Duration.ofSeconds(2);

    /**
     * The order of the checks: a switch that is on refuses before anything is counted; an order that is in already
     * passes; then the account's rate (GCRA: {@code due} is when the next order would be on time, and as many as the
     * rate allows a second may be early), then the two ceilings. KEYS from 6: mark, active, active of the user, rate.
     * ARGV from 5: order, ceiling, ceiling of the user, prefixes of the counters, how far they reach, how long kept.
     */
    private static final String ADMIT = RiskView.LUA + """
            local view = risk()
            local function verdict(word, number, other)
              view[8], view[9], view[10] = word, number or 0, other or 0
              view[11] = redis.call('ZCARD', KEYS[7])
              view[12] = redis.call('EXISTS', KEYS[6])
              return view
            end
            if view[1] == '' then return verdict('NOT_LOADED') end
            if view[2] ~= '' or view[3] ~= '' or view[4] ~= '' then return verdict('STOPPED') end
            if redis.call('ZSCORE', KEYS[7], ARGV[5]) then return verdict('KNOWN') end

            local clock = redis.call('TIME')
            local micros = clock[1] * 1000000 + clock[2]
            local rate = view[5] ~= '' and cjson.decode(view[5]).ordersPerSecond
            local due
            if type(rate) == 'number' then
              due = math.max(tonumber(redis.call('GET', KEYS[9]) or '0'), micros)
              local early = due - micros - (rate - 1) * 1000000 / rate
              if early > 0 then return verdict('TOO_FAST', math.ceil(early / 1000)) end
            end

            local full = redis.call('ZCARD', KEYS[7]) >= tonumber(ARGV[6])
            local userFull = redis.call('ZCARD', KEYS[8]) >= tonumber(ARGV[7])
            if full or userFull then
              local drained, refused = 0, 0
              for back = 0, ARGV[10] - 1 do
                drained = drained + (redis.call('GET', ARGV[8] .. (clock[1] - back)) or 0)
                refused = refused + (redis.call('GET', ARGV[9] .. (clock[1] - back)) or 0)
              end
              redis.call('INCR', ARGV[9] .. clock[1])
              redis.call('EXPIRE', ARGV[9] .. clock[1], ARGV[11])
              return verdict(full and 'FULL' or 'USER_FULL', drained, refused)
            end

            if due then
              redis.call('SET', KEYS[9], string.format('%.0f', due + 1000000 / rate), 'PX', 2000)
            end
            local millis = string.format('%.0f', micros / 1000)
            redis.call('ZADD', KEYS[7], millis, ARGV[5])
            redis.call('ZADD', KEYS[8], millis, ARGV[5])
            return verdict('ADMITTED')
            """;

    private final StatefulRedisConnection<String, String> redis;
    private final int maxActive;
    private final int maxActivePerUser;

    /**
     * A gate.
     *
     * @param maxActive orders without the venue's first answer, of all users
     * @param maxActivePerUser the same, of one user
     */
    public OrderGate(StatefulRedisConnection<String, String> redis, int maxActive, int maxActivePerUser) {
        this.redis = redis;
        this.maxActive = maxActive;
        this.maxActivePerUser = maxActivePerUser;
    }

    /**
     * Lets an order in and counts it as active, or says why not.
     *
     * @throws ExecutionException when Redis is away
     * @throws TimeoutException when it does not answer in time; then the order is not counted, or not for long
     */
    public Admittance admit(OrderRequest order) throws ExecutionException, TimeoutException, InterruptedException {
        List<String> keys = new ArrayList<>(RiskView.keys(order));
        keys.addAll(List.of(
                RedisKeys.mark(order.userId()),
                RedisKeys.ACTIVE_ORDERS,
                RedisKeys.activeOrders(order.userId()),
                RedisKeys.orderRate(order.userId(), order.account())));
        List<String> values = new ArrayList<>(RiskView.arguments(order));
        values.addAll(List.of(
                RedisKeys.activeOrder(order.userId(), order.clientOrderId()),
                Integer.toString(maxActive),
                Integer.toString(maxActivePerUser),
                RedisKeys.DRAINED,
                RedisKeys.REFUSED,
                Integer.toString(ActiveOrders.RATE_SECONDS),
                Integer.toString(ActiveOrders.COUNT_KEPT_SECONDS)));
        RedisFuture<List<Object>> answer = redis.async()
                .eval(ADMIT, ScriptOutputType.MULTI, keys.toArray(String[]::new), values.toArray(String[]::new));
        try {
            return read(order, answer.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            takeBack(order);
            throw late;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RedisCommandTimeoutException) {
                takeBack(order);
            }
            throw failed;
        }
    }

    /**
     * Redis may still run what it is late with, and this right after it. An order that was counted before is counted
     * again by the next correction.
     */
    private void takeBack(OrderRequest order) {
        try {
            ActiveOrders.withdrawLater(new ActiveOrders.Active(order.userId(), order.clientOrderId()), redis.async());
        } catch (RedisException away) {
            // What was not run with the connection is not run at all.
        }
    }

    private static Admittance read(OrderRequest order, List<Object> answer) {
        RiskView view = RiskView.of(answer.subList(0, RiskView.FIELDS)).orElse(null);
        if (view == null) {
            return new Admittance.NotLoaded();
        }
        long number = (Long) answer.get(8);
        long active = (Long) answer.get(10);
        return switch ((String) answer.get(7)) {
            case "STOPPED" ->
                new Admittance.Objected(
                        KillSwitch.objection(order, view.switches()).orElseThrow(), active, false);
            case "TOO_FAST" -> new Admittance.TooFast(Duration.ofMillis(number), active);
            case "FULL" -> new Admittance.Full(drainOf(answer), active, false);
            case "USER_FULL" -> new Admittance.Full(drainOf(answer), active, true);
            case "KNOWN" -> admitted(order, view, answer, false);
            case "ADMITTED" -> admitted(order, view, answer, true);
            case String other -> throw new IllegalStateException("the script answered " + other);
        };
    }

    private static Admittance.Drain drainOf(List<Object> answer) {
        return new Admittance.Drain((Long) answer.get(8), (Long) answer.get(9), ActiveOrders.RATE_SECONDS);
    }

    /** Quantity and prices are looked at here, with the very view that the script saw. */
    private static Admittance admitted(OrderRequest order, RiskView view, List<Object> answer, boolean isNew) {
        long active = (Long) answer.get(10);
        return view.objection(order, Terms.of(order))
                .<Admittance>map(reason -> new Admittance.Objected(reason, active, isNew))
                .orElseGet(() -> new Admittance.Admitted(isNew, (Long) answer.get(11) > 0, active));
    }
}
