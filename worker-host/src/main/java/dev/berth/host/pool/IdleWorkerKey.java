package dev.berth.host.pool;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.ClaimMessage;
import java.util.List;
import redis.clients.jedis.UnifiedJedis;

/** The heartbeat key of an idle pool worker, and its place on the idle list. */
final class IdleWorkerKey {
    /** A worker whose reservation expired returns to the list; a retired one does not. */
    private static final String RENEW = """
            if redis.call('GET', KEYS[3]) == ARGV[4] then return 0 end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            if redis.call('EXISTS', KEYS[3]) == 0 then
              redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[1])
            end
            return 1
            """;

    private static final String LEAVE = """
            redis.call('DEL', KEYS[1])
            return redis.call('ZREM', KEYS[2], ARGV[1])
            """;

    private final UnifiedJedis redis;
    private final String taskId;
    private final long idleSince = System.currentTimeMillis();
    private boolean hasLeft;

    IdleWorkerKey(UnifiedJedis redis, String taskId) {
        this.redis = redis;
        this.taskId = taskId;
    }

    /**
     * Sets or extends the key; no effect after {@link #leave}, since this worker has a user then.
     *
     * @return false when the pool has retired this worker: it must not serve any user
     */
    synchronized boolean renew() {
        if (hasLeft) {
            return true;
        }
        Object renewed = redis.eval(
                RENEW,
                List.of(RedisKeys.poolMark(taskId), RedisKeys.POOL_IDLE, RedisKeys.reserved(taskId)),
                List.of(
                        taskId,
                        Long.toString(RedisKeys.MARK_TTL.toMillis()),
                        Long.toString(idleSince),
                        RedisKeys.RETIRED));
        return !Long.valueOf(0).equals(renewed);
    }

    /** Whether the claim is for this process. */
    boolean isForThisTask(ClaimMessage claim) {
        return claim.reservedTask().equals(taskId);
    }

    /** Whether the claim's task may still take it: a reservation lasts longer than a claim. */
    boolean isReserved(ClaimMessage claim) {
        return redis.exists(RedisKeys.reserved(claim.reservedTask()));
    }

    /** Leaves the pool. */
    synchronized void leave() {
        hasLeft = true;
        redis.eval(LEAVE, List.of(RedisKeys.poolMark(taskId), RedisKeys.POOL_IDLE), List.of(taskId));
    }
}
