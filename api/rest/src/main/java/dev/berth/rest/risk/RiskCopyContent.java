package dev.berth.rest.risk;

import dev.berth.activities.risk.RiskStore.Snapshot;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.OrderHold;
import dev.berth.workflows.risk.RiskLimits;
import dev.berth.workflows.risk.RiskSentinel;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What Redis has in one moment in place of PostgreSQL's switches, limits and suspensions, whether
 * it makes sense or not.
 *
 * @param sentinel empty when there is none
 * @param switches each as JSON by its name
 * @param limits of each account, as JSON
 * @param holds who is suspended, and mass cancels: {@link RedisKeys#HOLDS}
 * @param hasForms whether each key holds what it should: another form is no copy, and fails its
 *     readers
 */
public record RiskCopyContent(
        String sentinel,
        Map<String, String> switches,
        Map<String, String> limits,
        Map<String, String> holds,
        boolean needsQuotes,
        boolean hasForms) {
    /** KEYS: sentinel, switches, limits, whether quotes are needed, holds. */
    private static final String READ = """
            local function form(key) return redis.call('TYPE', key).ok end
            local forms = 1
            for i, expected in ipairs({'string', 'hash', 'hash', 'string', 'hash'}) do
              if form(KEYS[i]) ~= expected and form(KEYS[i]) ~= 'none' then forms = 0 end
            end
            return {form(KEYS[1]) == 'string' and redis.call('GET', KEYS[1]) or '',
              form(KEYS[2]) == 'hash' and redis.call('HGETALL', KEYS[2]) or {},
              form(KEYS[3]) == 'hash' and redis.call('HGETALL', KEYS[3]) or {},
              form(KEYS[5]) == 'hash' and redis.call('HGETALL', KEYS[5]) or {},
              redis.call('EXISTS', KEYS[4]), forms}
            """;

    public RiskCopyContent {
        switches = Map.copyOf(switches);
        limits = Map.copyOf(limits);
        holds = Map.copyOf(holds);
    }

    static String[] keys() {
        return new String[] {
            RedisKeys.FLEET_LOADED,
            RedisKeys.KILL_SWITCH,
            RedisKeys.RISK_LIMITS,
            RedisKeys.QUOTES_NEEDED,
            RedisKeys.HOLDS
        };
    }

    static RiskCopyContent read(RedisCommands<String, String> redis) {
        List<Object> answer = redis.eval(READ, ScriptOutputType.MULTI, keys());
        return new RiskCopyContent(
                (String) answer.get(0),
                fields((List<?>) answer.get(1)),
                fields((List<?>) answer.get(2)),
                fields((List<?>) answer.get(3)),
                (Long) answer.get(4) == 1,
                (Long) answer.get(5) == 1);
    }

    private static Map<String, String> fields(List<?> flat) {
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put((String) flat.get(i), (String) flat.get(i + 1));
        }
        return fields;
    }

    /** What its sentinel names; 0 without one. */
    long version() {
        return RiskSentinel.parse(sentinel).map(RiskSentinel::version).orElse(0L);
    }

    /** Whether the gates judge by it. Otherwise they hold every order. */
    public boolean isWhole() {
        return hasForms
                && (version() + " " + (holds.size() - 1)).equals(holds.get(OrderHold.COPY))
                && RiskSentinel.parse(sentinel)
                        .filter(found -> found.agreesWith(switches))
                        .isPresent();
    }

    /** Whether the gates stop orders by the switch of this name. */
    public boolean stops(String name) {
        return isWhole()
                && Optional.ofNullable(switches.get(name))
                        .flatMap(json -> read(json, KillSwitch.class))
                        .filter(found -> found.on() && found.name().equals(name))
                        .isPresent();
    }

    /** Compared by what it means: a replica of another version may write the same otherwise. */
    boolean isCopyOf(Snapshot snapshot) {
        Map<String, Optional<KillSwitch>> on = snapshot.switches().stream()
                .filter(KillSwitch::on)
                .collect(Collectors.toMap(KillSwitch::name, Optional::of));
        Map<String, Optional<RiskLimits>> limited = snapshot.limits().stream()
                .collect(Collectors.toMap(
                        one -> RedisKeys.riskLimits(one.userId(), one.account()), one -> Optional.of(one.limits())));
        return isWhole()
                && version() == snapshot.version()
                && needsQuotes == snapshot.needsQuotes()
                && holds.equals(OrderHold.fields(snapshot.version(), snapshot.suspended(), snapshot.cancels()))
                && parsed(switches, KillSwitch.class).equals(on)
                && parsed(limits, RiskLimits.class).equals(limited);
    }

    private static <T> Map<String, Optional<T>> parsed(Map<String, String> fields, Class<T> type) {
        return fields.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, one -> read(one.getValue(), type)));
    }

    private static <T> Optional<T> read(String json, Class<T> type) {
        try {
            // The word null is JSON too.
            return Optional.ofNullable(Json.read(json, type));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }
}
