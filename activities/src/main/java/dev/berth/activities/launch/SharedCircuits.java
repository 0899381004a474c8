package dev.berth.activities.launch;

import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The circuits of all versions, in Redis: each replica launches some tasks and hears of some stops,
 * and all of them together tell whether a version starts.
 */
final class SharedCircuits {
    /** What a record of a result changed. */
    enum Change {
        NONE,
        OPENED,
        CLOSED
    }

    private static final int FAILURE_PERCENT = 50;
    private static final Duration FAILURE_WINDOW = Duration.ofMinutes(5);
    /** A permitted launch has a result by then. */
    private static final Duration PERMIT = Duration.ofSeconds(90);

    /**
     * Longer than the longest backoff of the pool, so that the circuit of a failing version stays
     * open.
     */
    private static final Duration KEPT_UNUSED = Duration.ofMinutes(15);

    /**
     * A success closes a half-open circuit, a failure opens it again. Else the result of a task
     * counts once, and the circuit opens when too many of the last ones are failures.
     */
    private static final String RECORD = """
            local now = tonumber(ARGV[3])
            local failed = ARGV[4] == '1'
            local opens = redis.call('ZSCORE', KEYS[1], ARGV[1])
            if opens then
              if now < tonumber(opens) then return 0 end
              redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
              if failed then
                redis.call('ZADD', KEYS[1], now + ARGV[5], ARGV[1])
                return 1
              end
              redis.call('ZREM', KEYS[1], ARGV[1])
              return 2
            end
            local results = failed and KEYS[2] or KEYS[3]
            redis.call('ZADD', results, 'NX', now, ARGV[2])
            for _, key in ipairs({KEYS[2], KEYS[3]}) do
              redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ARGV[6])
              redis.call('PEXPIRE', key, ARGV[6])
            end
            local failures = redis.call('ZCARD', KEYS[2])
            local all = failures + redis.call('ZCARD', KEYS[3])
            if failed and all >= tonumber(ARGV[7]) and failures * 100 >= all * ARGV[8] then
              redis.call('DEL', KEYS[2], KEYS[3])
              redis.call('ZADD', KEYS[1], now + ARGV[5], ARGV[1])
              return 1
            end
            return 0
            """;

    /** 0: open; 1: closed; 2: half-open, and this is the one launch. */
    private static final String ACQUIRE = """
            local opens = redis.call('ZSCORE', KEYS[1], ARGV[1])
            if not opens then return 1 end
            if tonumber(ARGV[2]) < tonumber(opens) then return 0 end
            return redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[3]) and 2 or 0
            """;

    private static final String COUNT = """
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[1])
            return redis.call('ZCARD', KEYS[1])
            """;

    private final RedisCommands<String, String> redis;
    private final Duration openFor;
    private final InstantSource clock;

    SharedCircuits(RedisCommands<String, String> redis, Duration openFor, InstantSource clock) {
        this.redis = redis;
        this.openFor = openFor;
        this.clock = clock;
    }

    /** Open or half-open circuits, without those of versions that are no longer launched. */
    int countNotClosed() {
        long unused = clock.millis() - KEPT_UNUSED.toMillis();
        Long count = redis.eval(
                COUNT, ScriptOutputType.INTEGER, new String[] {RedisKeys.LAUNCH_CIRCUITS}, Long.toString(unused));
        return count.intValue();
    }

    boolean tryAcquire(String version) {
        Long permit = redis.eval(
                ACQUIRE,
                ScriptOutputType.INTEGER,
                new String[] {RedisKeys.LAUNCH_CIRCUITS, RedisKeys.launchPermit(version)},
                version,
                Long.toString(clock.millis()),
                Long.toString(PERMIT.toMillis()));
        return permit > 0;
    }

    boolean isHalfOpen(String version) {
        Double opens = redis.zscore(RedisKeys.LAUNCH_CIRCUITS, version);
        return opens != null && clock.millis() >= opens.longValue();
    }

    Duration remainingDelay(String version) {
        Double opens = redis.zscore(RedisKeys.LAUNCH_CIRCUITS, version);
        long left = opens == null ? 0 : opens.longValue() - clock.millis();
        return left > 0 ? Duration.ofMillis(left) : openFor;
    }

    /** The permitted launch has no result: another is permitted. */
    void release(String version) {
        redis.del(RedisKeys.launchPermit(version));
    }

    /** @param task its id; what is not the result of a task has an id of its own */
    Change record(String version, String task, boolean isFailure) {
        Long change = redis.eval(
                RECORD,
                ScriptOutputType.INTEGER,
                new String[] {
                    RedisKeys.LAUNCH_CIRCUITS,
                    RedisKeys.launchFailures(version),
                    RedisKeys.launchSuccesses(version),
                    RedisKeys.launchPermit(version)
                },
                version,
                task,
                Long.toString(clock.millis()),
                isFailure ? "1" : "0",
                Long.toString(openFor.toMillis()),
                Long.toString(FAILURE_WINDOW.toMillis()),
                Integer.toString(LaunchCircuitBreaker.FAILURES),
                Integer.toString(FAILURE_PERCENT));
        return Change.values()[change.intValue()];
    }
}
