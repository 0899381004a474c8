package dev.berth.activities.maintenance;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.InstantSource;

/** How many processes the sweeps may end: a mistake must not end the fleet before somebody notices. */
final class KillBudget {
    private static final int PART_OF_FLEET = 20;
    private static final int FEWEST = 10;
    /** Longer than the minute that it counts. */
    private static final Duration KEPT = Duration.ofMinutes(2);

    private static final String TAKE = """
            if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then return 0 end
            redis.call('INCR', KEYS[1])
            redis.call('EXPIRE', KEYS[1], ARGV[2])
            return 1
            """;

    private final RedisCommands<String, String> redis;
    private final InstantSource clock;

    KillBudget(RedisCommands<String, String> redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** 5 % of the fleet a minute, never fewer than 10. */
    static int perMinute(int fleet) {
        return Math.max(FEWEST, fleet / PART_OF_FLEET);
    }

    /** False when this minute's is used up. */
    boolean take(int perMinute) {
        long minute = clock.millis() / Duration.ofMinutes(1).toMillis();
        return redis.<Long>eval(
                        TAKE,
                        ScriptOutputType.INTEGER,
                        new String[] {RedisKeys.STOPS + minute},
                        Integer.toString(perMinute),
                        Long.toString(KEPT.toSeconds()))
                == 1;
    }
}
