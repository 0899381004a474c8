package dev.berth.activities.maintenance;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the last sweep saw, so that the next one can be the second proof. Kept in Redis, it survives any process. */
final class Suspects {
    /** All at once, so that half a list never counts. KEYS[1]: the hash; ARGV: its life in ms, then its fields. */
    private static final String REPLACE = """
            redis.call('DEL', KEYS[1])
            for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
            if #ARGV > 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
            return 1
            """;

    /** Sweeps until it is forgotten; one whose heals are slow, or tried again, can take as long as three. */
    private static final int REMEMBERED = 10;

    private final RedisCommands<String, String> redis;
    private final Duration every;

    /** @param every between two sweeps */
    Suspects(RedisCommands<String, String> redis, Duration every) {
        this.redis = redis;
        this.every = every;
    }

    /**
     * Which of these are proven: at once, or since the sweep before saw them too. A sweep that follows at once, such as
     * one that somebody started by hand, is no second proof. Remembers the others for the next sweep, and forgets what
     * is well again.
     */
    List<Sighting> proven(List<Sighting> seen, Instant now) {
        Map<String, String> before = redis.hgetall(RedisKeys.SUSPECTS);
        Map<String, String> next = new HashMap<>();
        List<Sighting> proven = new ArrayList<>();
        for (Sighting sighting : seen) {
            String identity = sighting.drift().identity();
            String first = before.getOrDefault(identity, Long.toString(now.toEpochMilli()));
            next.put(identity, first);
            if (sighting.isProven() || now.toEpochMilli() - Long.parseLong(first) >= every.toMillis() / 2) {
                proven.add(sighting);
            }
        }
        remember(next);
        return proven;
    }

    private void remember(Map<String, String> suspects) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(every.multipliedBy(REMEMBERED).toMillis()));
        suspects.forEach((identity, first) -> {
            arguments.add(identity);
            arguments.add(first);
        });
        redis.eval(
                REPLACE, ScriptOutputType.INTEGER, new String[] {RedisKeys.SUSPECTS}, arguments.toArray(String[]::new));
    }
}
