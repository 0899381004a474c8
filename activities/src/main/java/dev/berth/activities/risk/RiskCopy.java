package dev.berth.activities.risk;

import dev.berth.activities.risk.RiskStore.AccountLimits;
import dev.berth.activities.risk.RiskStore.Snapshot;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.risk.KillSwitch;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(RiskCopy.class);

    private final RiskStore store;
    private final RedisCommands<String, String> redis;

    public RiskCopy(RiskStore store, RedisCommands<String, String> redis) {
        this.store = store;
        this.redis = redis;
    }

    /** Copies what stands in PostgreSQL now; harmless when it is there already. */
    public void load() {
        while (!replace(store.snapshot())) {
            long copied = Long.parseLong(Objects.requireNonNullElse(redis.get(RedisKeys.FLEET_LOADED), "0"));
            if (copied <= store.version()) {
                // Somebody else has copied a newer one meanwhile.
                return;
            }
            catchUp(copied);
        }
    }

    /**
     * PostgreSQL came back from a backup, so that the copy would be newer for ever, and no change would take effect. It
     * counts on from the copy's version; switches that are on here stay on, since nobody has said that they may go off.
     */
    private void catchUp(long copied) {
        LOG.warn("PostgreSQL knows less of kill switches and limits than Redis has; it came back from a backup?");
        Map<String, Instant> known =
                store.switches().stream().collect(Collectors.toMap(KillSwitch::name, KillSwitch::changedAt));
        redis.hvals(RedisKeys.KILL_SWITCH).stream()
                .map(json -> Json.read(json, KillSwitch.class))
                .filter(on -> known.getOrDefault(on.name(), Instant.MIN).isBefore(on.changedAt()))
                .forEach(store::change);
        store.countOnFrom(copied);
    }

    /**
     * Copies this.
     *
     * @return false when the copy is of a newer version
     */
    boolean replace(Snapshot snapshot) {
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
        Long replaced = redis.eval(
                REPLACE, ScriptOutputType.INTEGER, keys.toArray(String[]::new), values.toArray(String[]::new));
        return replaced == 1;
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
