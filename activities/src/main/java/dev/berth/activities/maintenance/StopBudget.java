package dev.berth.activities.maintenance;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits how many processes the sweeps and void claims stop, so that a wrong reading cannot stop
 * the fleet.
 */
public final class StopBudget {
    private static final int PART_OF_FLEET = 20;
    private static final int FEWEST = 10;
    /** A sliding minute: a sweep at the turn of two calendar minutes would have both budgets. */
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
    private final AtomicBoolean hasSwept = new AtomicBoolean();

    public StopBudget(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /**
     * The limit for the next sweep. The first sweep of a process stops nothing, however long the
     * process waited for the servers: workers may still be renewing their heartbeats, and signals
     * may be on their way.
     */
    int nextSweep(int fleet) {
        return hasSwept.getAndSet(true) ? perMinute(fleet) : 0;
    }

    /** 5 % of the fleet, and at least 10. */
    public static int perMinute(int fleet) {
        return Math.max(FEWEST, fleet / PART_OF_FLEET);
    }

    /** False when the stops of the last minute have used the budget. */
    public boolean take(int perMinute) {
        return redis.<Long>eval(
                        TAKE,
                        ScriptOutputType.INTEGER,
                        new String[] {RedisKeys.STOPS},
                        Integer.toString(perMinute),
                        Long.toString(MINUTE.toMillis()))
                == 1;
    }

    /** Returns a stop that did not happen. */
    public void giveBack() {
        redis.zpopmax(RedisKeys.STOPS);
    }
}
