package dev.berth.activities.maintenance;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** How many processes the sweeps may end: a mistake must not end the fleet before somebody notices. */
final class KillBudget {
    private static final int PART_OF_FLEET = 20;
    private static final int FEWEST = 10;
    /** Any minute, not the calendar's: where two of those meet, a sweep would have the budgets of both. */
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final String TAKE = """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
            local stops = redis.call('ZCARD', KEYS[1])
            if stops >= tonumber(ARGV[1]) then return 0 end
            redis.call('ZADD', KEYS[1], now, now .. ':' .. stops)
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
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

    /** False when the last minute's stops have used it up. */
    boolean take(int perMinute) {
        return redis.<Long>eval(
                        TAKE,
                        ScriptOutputType.INTEGER,
                        new String[] {RedisKeys.STOPS},
                        Integer.toString(perMinute),
                        Long.toString(MINUTE.toMillis()))
                == 1;
    }

    /** One that was taken came to no stop. */
    void giveBack() {
        redis.zpopmax(RedisKeys.STOPS);
    }
}
