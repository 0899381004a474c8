package dev.berth.rest.risk;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Reason;
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

/**
 * Where submissions come in: one round trip to Redis says whether an order is let in, and counts
 * it.
 */
public final class AdmissionGate {
    private static final Duration ANSWER = Duration.ofSeconds(2);

    /**
     * The order of the checks: a switch that is on refuses before anything is counted; an order
     * that is in already passes; an account whose credentials are refused; then the account's rate
     * (GCRA: {@code due} is when the next order would be on time, and as many as the rate allows a
     * second may be early), then the ceilings. Orders of a user whose worker is suspended or failed
     * count for the user alone. KEYS from 6: heartbeat, active, active of the user, rate, notice.
     * ARGV from 5: order, ceiling, ceiling of the user, prefixes of the counters, how far they
     * reach, how long kept, ceiling before the reserve, how few may use the reserve, account, field
     * of the notice, whether the order passes kill switches.
     */
    private static final String ADMIT = RiskView.LUA + """
            local view = risk()
            local function verdict(word, number, other)
              view[8], view[9], view[10] = word, number or 0, other or 0
              view[11] = redis.call('ZCARD', KEYS[7])
              view[12] = redis.call('EXISTS', KEYS[6])
              return view
            end
            local notice = redis.call('HMGET', KEYS[10], ARGV[14], ARGV[15])
            if view[1] == '' then return verdict('NOT_LOADED') end
            local passes = ARGV[16] == 'true'
            if not passes and (view[2] ~= '' or view[3] ~= '' or view[4] ~= '') then return verdict('STOPPED') end
            if redis.call('ZSCORE', KEYS[8], ARGV[5]) then return verdict('KNOWN') end
            if notice[1] then return verdict('REFUSED', notice[1]) end
            local waits = notice[2]

            local clock = redis.call('TIME')
            local micros = clock[1] * 1000000 + clock[2]
            local rate = view[5] ~= '' and cjson.decode(view[5]).ordersPerSecond
            local due
            if type(rate) == 'number' then
              due = math.max(tonumber(redis.call('GET', KEYS[9]) or '0'), micros)
              local early = due - micros - (rate - 1) * 1000000 / rate
              if early > 0 then return verdict('TOO_FAST', math.ceil(early / 1000)) end
            end

            local all, mine = redis.call('ZCARD', KEYS[7]), redis.call('ZCARD', KEYS[8])
            local ceiling = mine < tonumber(ARGV[13]) and ARGV[6] or ARGV[12]
            local full = not waits and all >= tonumber(ceiling)
            local userFull = mine >= tonumber(ARGV[7])
            if full or userFull then
              local drained, refused = 0, 0
              for back = 0, ARGV[10] - 1 do
                drained = drained + (redis.call('GET', ARGV[8] .. (clock[1] - back)) or 0)
                refused = refused + (redis.call('GET', ARGV[9] .. (clock[1] - back)) or 0)
              end
              if userFull then return verdict('USER_FULL', drained, refused) end
              redis.call('INCR', ARGV[9] .. clock[1])
              redis.call('EXPIRE', ARGV[9] .. clock[1], ARGV[11])
              return verdict('FULL', drained, refused)
            end

            if due then
              redis.call('SET', KEYS[9], string.format('%.0f', due + 1000000 / rate), 'PX', 2000)
            end
            local millis = string.format('%.0f', micros / 1000)
            if not waits then redis.call('ZADD', KEYS[7], millis, ARGV[5]) end
            redis.call('ZADD', KEYS[8], millis, ARGV[5])
            return verdict('ADMITTED')
            """;

    private final StatefulRedisConnection<String, String> redis;
    private final AdmissionLimits limits;

    public AdmissionGate(StatefulRedisConnection<String, String> redis, AdmissionLimits limits) {
        this.redis = redis;
        this.limits = limits;
    }

    /**
     * Lets an order in and counts it as active, or says why not.
     *
     * @throws ExecutionException when Redis is unavailable
     * @throws TimeoutException when it does not answer in time; then the order is not counted, or
     *     not for long
     */
    public AdmissionDecision admit(OrderRequest order)
            throws ExecutionException, TimeoutException, InterruptedException {
        List<String> keys = new ArrayList<>(RiskView.keys(order));
        keys.addAll(List.of(
                RedisKeys.heartbeat(order.userId()),
                RedisKeys.ACTIVE_ORDERS,
                RedisKeys.activeOrders(order.userId()),
                RedisKeys.orderRate(order.userId(), order.account()),
                RedisKeys.unserved(order.userId())));
        List<String> values = new ArrayList<>(RiskView.arguments(order));
        values.addAll(List.of(
                RedisKeys.activeOrder(order.userId(), order.clientOrderId()),
                Integer.toString(limits.ofAll()),
                Integer.toString(limits.ofUser()),
                RedisKeys.DRAINED,
                RedisKeys.REFUSED,
                Integer.toString(ActiveOrders.RATE_SECONDS),
                Integer.toString(ActiveOrders.COUNT_KEPT_SECONDS),
                Integer.toString(limits.beforeReserve()),
                Integer.toString(limits.few()),
                order.account().toString(),
                RedisKeys.WAITS,
                Boolean.toString(order.mayPassKillSwitches())));
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
     * Redis may still run what it is late with, and this right after it. An order that was counted
     * before is counted again by the next correction.
     */
    private void takeBack(OrderRequest order) {
        try {
            ActiveOrders.withdrawLater(
                    new ActiveOrders.ActiveOrder(order.userId(), order.clientOrderId()), redis.async());
        } catch (RedisException unavailable) {
            // What was not run with the connection is not run at all.
        }
    }

    private static AdmissionDecision read(OrderRequest order, List<Object> answer) {
        RiskView view = RiskView.of(answer.subList(0, RiskView.FIELDS)).orElse(null);
        if (view == null) {
            return new AdmissionDecision.NotLoaded();
        }
        long active = (Long) answer.get(10);
        return switch ((String) answer.get(7)) {
            case "STOPPED" ->
                new AdmissionDecision.Objected(
                        KillSwitch.objection(order, view.switches()).orElseThrow(), active, false);
            case "REFUSED" -> new AdmissionDecision.Objected(Reason.parse((String) answer.get(8)), active, false);
            case "TOO_FAST" -> new AdmissionDecision.TooFast(Duration.ofMillis((Long) answer.get(8)), active);
            case "FULL" -> new AdmissionDecision.Full(drainOf(answer), active, false);
            case "USER_FULL" -> new AdmissionDecision.Full(drainOf(answer), active, true);
            case "KNOWN" -> admitted(order, view, answer, false);
            case "ADMITTED" -> admitted(order, view, answer, true);
            case String other -> throw new IllegalStateException("the script answered " + other);
        };
    }

    private static AdmissionDecision.Drain drainOf(List<Object> answer) {
        return new AdmissionDecision.Drain((Long) answer.get(8), (Long) answer.get(9), ActiveOrders.RATE_SECONDS);
    }

    /** Quantity and prices are looked at here, with the very view that the script saw. */
    private static AdmissionDecision admitted(OrderRequest order, RiskView view, List<Object> answer, boolean isNew) {
        long active = (Long) answer.get(10);
        return view.objection(order, OrderTerms.of(order))
                .<AdmissionDecision>map(reason -> new AdmissionDecision.Objected(reason, active, isNew))
                .orElseGet(() -> new AdmissionDecision.Admitted(isNew, (Long) answer.get(11) > 0, active));
    }
}
