package dev.berth.activities.risk;

import dev.berth.activities.risk.RiskStore.AccountLimits;
import dev.berth.activities.risk.RiskStore.Snapshot;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.risk.KillSwitch;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The copy in Redis of what stands in PostgreSQL: what every submission and every send looks at. It is replaced as a
 * whole, by one script, so that nobody sees half of a change.
 */
public final class RiskCopy {
    /**
     * A copy of an older version never takes the place of a newer one. KEYS: sentinel, switches, whether quotes are
     * needed, the hash of each user with limits. ARGV: version, number of switches, whether quotes are needed, name and
     * JSON of each switch, then key, field and JSON of each account.
     */
    private static final String REPLACE = """
            local stored = tonumber(redis.call('GET', KEYS[1]) or '0')
            if stored > tonumber(ARGV[1]) then return 0 end
            for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
            if ARGV[3] == 'true' then redis.call('SET', KEYS[3], '1') end
            local at = 4
            for i = 1, tonumber(ARGV[2]) do
              redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
              at = at + 2
            end
            while at <= #ARGV do
              redis.call('HSET', ARGV[at], ARGV[at + 1], ARGV[at + 2])
              at = at + 3
            end
            redis.call('SET', KEYS[1], ARGV[1])
            return 1
            """;

    private final RiskStore store;
    private final RedisCommands<String, String> redis;

    public RiskCopy(RiskStore store, RedisCommands<String, String> redis) {
        this.store = store;
        this.redis = redis;
    }

    /** Copies what stands in PostgreSQL now; harmless when it is there already. */
    public void load() {
        Snapshot snapshot = store.snapshot();
        List<KillSwitch> on =
                snapshot.switches().stream().filter(KillSwitch::on).toList();
        Set<String> keys =
                new LinkedHashSet<>(List.of(RedisKeys.FLEET_LOADED, RedisKeys.KILL_SWITCH, RedisKeys.QUOTES_NEEDED));
        boolean needsQuotes =
                snapshot.limits().stream().anyMatch(one -> one.limits().isNeedingQuotes());
        List<String> values = new ArrayList<>(
                List.of(Long.toString(snapshot.version()), Integer.toString(on.size()), Boolean.toString(needsQuotes)));
        for (KillSwitch one : on) {
            values.addAll(List.of(one.name(), Json.write(one)));
        }
        for (AccountLimits one : snapshot.limits()) {
            String key = RedisKeys.riskLimits(one.userId());
            keys.add(key);
            values.addAll(List.of(key, one.account().toString(), Json.write(one.limits())));
        }
        redis.eval(REPLACE, ScriptOutputType.INTEGER, keys.toArray(String[]::new), values.toArray(String[]::new));
    }

    /**
     * Copies when Redis has no copy or an old one: it lost its data, or whoever made a change died before the copy.
     *
     * @return whether it did
     */
    public boolean heal() {
        if (Objects.equals(redis.get(RedisKeys.FLEET_LOADED), Long.toString(store.version()))) {
            return false;
        }
        load();
        return true;
    }
}
