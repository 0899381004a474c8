package dev.berth.activities.maintenance;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** How many processes the sweeps may end: a mistake must not end the fleet before somebody notices. */
final class KillBudget {
    private static final int PART_OF_FLEET = 20;
    private static final int FEWEST = 10;
    /** From the first stop, so that no calendar minute ends in the midst of a sweep and doubles what it may stop. */
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final String TAKE = """
            if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then return 0 end
            if redis.call('INCR', KEYS[1]) == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
            return 1
            """;

    private final RedisCommands<String, String> redis;

    KillBudget(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /** 5 % of the fleet a minute, never fewer than 10. */
    static int perMinute(int fleet) {
        return Math.max(FEWEST, fleet / PART_OF_FLEET);
    }

    /** False when this minute's is used up. */
    boolean take(int perMinute) {
        return redis.<Long>eval(
                        TAKE,
                        ScriptOutputType.INTEGER,
                        new String[] {RedisKeys.STOPS},
                        Integer.toString(perMinute),
                        Long.toString(MINUTE.toSeconds()))
                == 1;
    }
}
