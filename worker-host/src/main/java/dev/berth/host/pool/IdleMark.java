package dev.berth.host.pool;

import dev.berth.workflows.RedisKeys;
import java.util.List;
import redis.clients.jedis.UnifiedJedis;

/** The mark of an idle pool worker, and its place on the idle list. */
final class IdleMark {
    /** A worker whose reservation came to nothing puts itself back on the list; one that is retired does not. */
    private static final String KEEP = """
            if redis.call('GET', KEYS[3]) == ARGV[4] then return 0 end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            if redis.call('EXISTS', KEYS[3]) == 0 then
              redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[1])
            end
            return 1
            """;

    /**
     * Who takes a claim meant for another puts that one back if it lives, so that the list is as long as the pool is: in
     * its own place, else it would grow younger with every such claim and outlive its lifetime. One that has none any
     * more is retired, or puts itself back.
     */
    private static final String LEAVE = """
            redis.call('DEL', KEYS[1])
            if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 and redis.call('EXISTS', KEYS[3]) == 1 then
              local place = redis.call('GET', KEYS[4])
              if place and tonumber(place) then redis.call('ZADD', KEYS[2], 'NX', place, ARGV[2]) end
            end
            return 1
            """;

    private final UnifiedJedis redis;
    private final String taskId;
    private final long since = System.currentTimeMillis();
    private boolean left;

    IdleMark(UnifiedJedis redis, String taskId) {
        this.redis = redis;
        this.taskId = taskId;
    }

    /**
     * Sets or extends the mark. A renewal that comes after {@link #leave} would put back one who serves a user.
     *
     * @return false when the pool has retired this worker, which is not to serve anybody
     */
    synchronized boolean keep() {
        if (left) {
            return true;
        }
        Object kept = redis.eval(
                KEEP,
                List.of(RedisKeys.poolMark(taskId), RedisKeys.POOL_IDLE, RedisKeys.reserved(taskId)),
                List.of(taskId, Long.toString(RedisKeys.MARK_TTL.toMillis()), Long.toString(since), RedisKeys.RETIRED));
        return !Long.valueOf(0).equals(kept);
    }

    /** Whether the pool has retired this worker. */
    boolean isRetired() {
        return RedisKeys.RETIRED.equals(redis.get(RedisKeys.reserved(taskId)));
    }

    /**
     * Leaves the pool.
     *
     * @param reservedTask the task that the claim was reserved for; empty when there is no claim
     */
    synchronized void leave(String reservedTask) {
        left = true;
        redis.eval(
                LEAVE,
                List.of(
                        RedisKeys.poolMark(taskId),
                        RedisKeys.POOL_IDLE,
                        RedisKeys.poolMark(reservedTask),
                        RedisKeys.reserved(reservedTask)),
                List.of(taskId, reservedTask));
    }
}
