package dev.berth.rest.risk;

import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.risk.RiskStore.Snapshot;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.OrderHold;
import dev.berth.workflows.risk.RiskSentinel;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy in Redis of what stands in PostgreSQL: what every submission and every send looks at.
 * PostgreSQL alone says what is right: the copy is compared with it by content, replaced where it
 * differs, and never written back. It is replaced as a whole, by one script, so that no reader sees
 * half of a change.
 */
public final class RiskCopy {
    /** How the copy stands beside PostgreSQL. */
    public enum State {
        /** It has what PostgreSQL has. */
        CURRENT,
        /** It has what PostgreSQL had before a later change. */
        BEHIND,
        /**
         * It has what PostgreSQL never had, or does not know any more, as after a restore from a
         * backup.
         */
        FOREIGN,
        /** There is none: Redis lost its data. */
        MISSING
    }

    /**
     * The copy beside PostgreSQL.
     *
     * @param right what PostgreSQL has
     * @param found what Redis has
     */
    public record Look(State state, Snapshot right, RiskCopyContent found) {}

    /**
     * Only in place of the copy that was looked at: another replica may have written a newer one
     * since. KEYS: sentinel, switches, limits, whether quotes are needed, holds. ARGV: the sentinel
     * that was found, the new one, whether quotes are needed, number of switches, number of fields
     * of the holds, then name and JSON of each switch, the fields of the holds, and name and JSON
     * of each account with limits.
     */
    private static final String REPLACE = """
            local found = redis.call('TYPE', KEYS[1]).ok == 'string' and redis.call('GET', KEYS[1]) or ''
            if found ~= ARGV[1] then return 0 end
            redis.call('DEL', unpack(KEYS))
            local at = 6
            local function fill(key, number)
              for i = 1, number do
                redis.call('HSET', key, ARGV[at], ARGV[at + 1])
                at = at + 2
              end
            end
            fill(KEYS[2], tonumber(ARGV[4]))
            fill(KEYS[5], tonumber(ARGV[5]))
            fill(KEYS[3], (#ARGV - at + 1) / 2)
            if ARGV[3] == 'true' then redis.call('SET', KEYS[4], '1') end
            redis.call('SET', KEYS[1], ARGV[2])
            return 1
            """;

    private static final Logger LOG = LoggerFactory.getLogger(RiskCopy.class);
    /** Each is lost only to another write in the same moment. */
    private static final int ATTEMPTS = 10;

    private final RiskStore store;
    private final RedisCommands<String, String> redis;
    private final AtomicLong foreignCopies = new AtomicLong();

    public RiskCopy(RiskStore store, RedisCommands<String, String> redis) {
        this.store = store;
        this.redis = redis;
    }

    /** Compares the copy with PostgreSQL, and changes nothing. */
    public Look look() {
        return look(store.snapshot());
    }

    Look look(Snapshot before) {
        RiskCopyContent found = RiskCopyContent.read(redis);
        // Another replica may have copied a change that was made after the snapshot; then
        // PostgreSQL has it by now.
        Snapshot right = found.version() > before.version() ? store.snapshot() : before;
        return new Look(state(found, right), right, found);
    }

    private State state(RiskCopyContent found, Snapshot right) {
        if (found.isCopyOf(right)) {
            return State.CURRENT;
        }
        if (found.sentinel().isEmpty()) {
            return State.MISSING;
        }
        return found.version() < right.version() && found.isCopyOf(store.snapshotOf(found.version()))
                ? State.BEHIND
                : State.FOREIGN;
    }

    /**
     * Puts what PostgreSQL has in place of a copy that differs, whatever version its sentinel
     * names.
     *
     * @return how it stood before
     * @throws RedisException when Redis is unavailable, or others write the copy all the time
     */
    public State heal() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Look look = look();
            if (look.state() == State.CURRENT) {
                return State.CURRENT;
            }
            if (replace(look)) {
                if (look.state() == State.FOREIGN) {
                    foreignCopies.incrementAndGet();
                    LOG.warn(
                            "the copy of kill switches and limits in Redis was not PostgreSQL's, and was replaced by"
                                    + " version {}: it was changed by hand, or PostgreSQL came back from a backup",
                            look.right().version());
                }
                return look.state();
            }
        }
        throw new RedisException("the copy of kill switches and limits does not stand still");
    }

    /** How many copies this process replaced that were not PostgreSQL's. */
    public long foreignCopies() {
        return foreignCopies.get();
    }

    /** Does nothing and answers false when the copy is not the one any more that was looked at. */
    boolean replace(Look look) {
        Snapshot right = look.right();
        Map<String, String> switches = right.switches().stream()
                .filter(KillSwitch::on)
                .collect(Collectors.toMap(KillSwitch::name, Json::write));
        Map<String, String> holds = OrderHold.fields(right.version(), right.suspended(), right.cancels());
        List<String> values = new ArrayList<>(List.of(
                look.found().sentinel(),
                RiskSentinel.of(right.version(), switches).toString(),
                Boolean.toString(right.needsQuotes()),
                Integer.toString(switches.size()),
                Integer.toString(holds.size())));
        switches.forEach((name, json) -> values.addAll(List.of(name, json)));
        holds.forEach((name, value) -> values.addAll(List.of(name, value)));
        right.limits()
                .forEach(one -> values.addAll(
                        List.of(RedisKeys.riskLimits(one.userId(), one.account()), Json.write(one.limits()))));
        Long replaced =
                redis.eval(REPLACE, ScriptOutputType.INTEGER, RiskCopyContent.keys(), values.toArray(String[]::new));
        return replaced == 1;
    }
}
