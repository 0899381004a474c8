package dev.berth.workflows.risk;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What Redis knows in one moment of whether an order may be sent.
 *
 * @param switches those that are on and may concern the order
 * @param quote the last one of its symbol
 * @param now Redis's own clock
 */
public record RiskView(
        List<KillSwitch> switches,
        RiskLimits limits,
        @Nullable Quote quote,
        Instant now) {
    /** How many fields the script's answer has. */
    public static final int FIELDS = 7;

    /**
     * A function of Lua, {@code risk()}, that answers what {@link #of} reads, and asks for quotes
     * of the symbol, as of the newest thousand, when the account has limits. Its script has
     * {@link #keys} and {@link #arguments} first. Switches that do not agree with the sentinel are
     * answered as if none were loaded: one may have been removed.
     */
    public static final String LUA = RiskSentinel.LUA + """
            local function risk()
              local sentinel = redis.call('GET', KEYS[1]) or ''
              if not agrees(sentinel, KEYS[2]) then sentinel = '' end
              local on = redis.call('HMGET', KEYS[2], 'all', ARGV[1], ARGV[2])
              local time = redis.call('TIME')
              local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
              local limits = redis.call('HGET', KEYS[3], ARGV[3]) or ''
              if limits ~= '' then
                redis.call('ZADD', KEYS[5], now, ARGV[4])
                redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -1001)
              end
              return {sentinel, on[1] or '', on[2] or '', on[3] or '', limits,
                redis.call('HGET', KEYS[4], ARGV[4]) or '', now}
            end
            """;

    public RiskView {
        switches = List.copyOf(switches);
    }

    public static List<String> keys() {
        return List.of(
                RedisKeys.FLEET_LOADED,
                RedisKeys.KILL_SWITCH,
                RedisKeys.RISK_LIMITS,
                RedisKeys.QUOTES,
                RedisKeys.QUOTES_WANTED);
    }

    public static List<String> keys(OrderRequest order) {
        return keys();
    }

    public static List<String> arguments(OrderRequest order) {
        return arguments(order.userId(), order.account(), order.symbol());
    }

    public static List<String> arguments(UserId userId, AccountKey account, String symbol) {
        return List.of(
                KillSwitch.ofBroker(account.broker()),
                KillSwitch.ofUser(userId),
                RedisKeys.riskLimits(userId, account),
                symbol);
    }

    /**
     * Reads the script's answer; empty when Redis has no copy of switches and limits, as after it
     * lost its data, or one that is not whole.
     *
     * @throws IllegalArgumentException when it is no such answer
     */
    public static Optional<RiskView> of(List<?> answer) {
        List<String> fields = answer.stream().map(String::valueOf).toList();
        if (fields.getFirst().isEmpty()) {
            return Optional.empty();
        }
        List<KillSwitch> switches = fields.subList(1, 4).stream()
                .flatMap(json -> read(json, KillSwitch.class).stream())
                .toList();
        return Optional.of(new RiskView(
                switches,
                read(fields.get(4), RiskLimits.class).orElse(RiskLimits.NONE),
                read(fields.get(5), Quote.class).orElse(null),
                Instant.ofEpochMilli(Long.parseLong(fields.get(6)))));
    }

    private static <T> Optional<T> read(String json, Class<T> type) {
        return json.isEmpty() ? Optional.empty() : Optional.of(Json.read(json, type));
    }

    /** What speaks against sending the order under these terms: a switch before a limit. */
    public Optional<Reason> objection(OrderRequest order, OrderTerms terms) {
        return Stream.of(
                        KillSwitch.objection(order.with(terms), switches),
                        RiskCheck.objection(order, terms, limits, quote, now))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
