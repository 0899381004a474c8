package dev.berth.activities.pool;

import dev.berth.activities.launch.LauncherException;
import dev.berth.activities.maintenance.StopBudget;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.PoolNames;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retires the worker of a void claim. A worker that does not answer once would be the first in line
 * for the next user again; and a hostile one could wait for the user that it wants.
 */
public final class VoidClaims {
    /** Up to so many void claims in a minute, a share says nothing: their workers are retired. */
    private static final int FEW = 2;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /**
     * Counts the void claim. Retires its worker if there is budget, unless at least half of the
     * last minute's claims were void, or the worker has another claim meanwhile. A bound worker is
     * of no use to another user, so it is retired in any case.
     */
    private static final String RETIRE = """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            redis.call('ZADD', KEYS[2], now, ARGV[1])
            for i = 1, 2 do
              redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - ARGV[3])
              redis.call('PEXPIRE', KEYS[i], ARGV[3])
            end
            local reserved = redis.call('GET', KEYS[3])
            if reserved == ARGV[4] then return 1 end
            if reserved and reserved ~= ARGV[1] then return 0 end
            local bound = redis.call('GET', KEYS[4])
            if bound and bound ~= ARGV[1] then return 0 end
            local void = redis.call('ZCARD', KEYS[2])
            if not bound and void > tonumber(ARGV[6]) and void * 2 >= redis.call('ZCARD', KEYS[1]) then return 0 end
            if ARGV[7] == '0' then return 0 end
            redis.call('ZREM', KEYS[5], ARGV[2])
            redis.call('SET', KEYS[3], ARGV[4], 'PX', ARGV[5])
            return 2
            """;

    private static final long RETIRED_NOW = 2;

    private static final Logger LOG = LoggerFactory.getLogger(VoidClaims.class);

    /** Stops a task. */
    @FunctionalInterface
    public interface TaskStop {
        /**
         * Asks ECS for the stop.
         *
         * @throws LauncherException when ECS does not answer; the sweep stops a retired task later
         */
        void stop(String taskId, String reason);
    }

    private final RedisCommands<String, String> redis;
    private final StopBudget budget;
    private final TaskStop tasks;

    public VoidClaims(RedisCommands<String, String> redis, TaskStop tasks) {
        this.redis = redis;
        this.budget = new StopBudget(redis);
        this.tasks = tasks;
    }

    /** Whether the worker is retired; then its task is being stopped. */
    boolean retire(UserGroup group, UserId userId, long epoch, String taskId) {
        long fleet = redis.zcard(RedisKeys.HEARTBEATS) + redis.zcard(PoolNames.idle(group));
        boolean hasBudget = budget.take(StopBudget.perMinute((int) fleet));
        Long retired = redis.eval(
                RETIRE,
                ScriptOutputType.INTEGER,
                new String[] {
                    RedisKeys.RECENT_CLAIMS,
                    RedisKeys.VOID_CLAIMS,
                    RedisKeys.reserved(taskId),
                    RedisKeys.bound(taskId),
                    PoolNames.idle(group)
                },
                RedisKeys.claim(userId, epoch),
                taskId,
                Long.toString(MINUTE.toMillis()),
                RedisKeys.RETIRED,
                Long.toString(LauncherPoolTasks.RETIRED.toMillis()),
                Integer.toString(FEW),
                hasBudget ? "1" : "0");
        if (retired == RETIRED_NOW) {
            LOG.warn("task {} did not answer the claim for {}, and is stopped", taskId, userId);
            Thread.ofVirtual().name("void-claim").start(() -> stop(taskId));
        } else if (hasBudget) {
            budget.giveBack();
        }
        return retired > 0;
    }

    private void stop(String taskId) {
        try {
            tasks.stop(taskId, "it did not answer its claim");
        } catch (LauncherException unavailable) {
            LOG.warn("task {} is not stopped before the sweep does it: {}", taskId, unavailable.getMessage());
        }
    }
}
