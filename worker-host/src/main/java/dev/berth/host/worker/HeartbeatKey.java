package dev.berth.host.worker;

import dev.berth.host.TaskIdentity;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import redis.clients.jedis.UnifiedJedis;

/**
 * The Redis key that says which task serves a user, with its metadata. Every change is one script
 * that first compares the epoch.
 */
final class HeartbeatKey {
    /** The result of a renewal. */
    enum Verdict {
        MINE,
        /** Another task holds the key; this one must not serve. */
        TAKEN,
        /** The user has a newer epoch: this worker has to end. */
        SUPERSEDED,
        /** Redis lost the epoch; whether this one is still the newest is unknown. */
        EPOCH_LOST,
        /**
         * Redis has an older epoch: an old copy was restored, or epochs began again without this
         * one.
         */
        EPOCH_OLDER
    }

    /**
     * Sets or extends the key if the epoch is the current one and no other task holds the key. A
     * retired pool worker gets no user.
     */
    private static final String RENEW = """
            local epoch = redis.call('GET', KEYS[1])
            if not epoch then return 'EPOCH_LOST' end
            if tonumber(epoch) > tonumber(ARGV[1]) then return 'SUPERSEDED' end
            if tonumber(epoch) < tonumber(ARGV[1]) then return 'EPOCH_OLDER' end
            local holder = redis.call('GET', KEYS[2])
            if holder and holder ~= ARGV[2] then return 'TAKEN' end
            if redis.call('GET', KEYS[5]) == ARGV[10] then return 'TAKEN' end
            redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
            redis.call('HSET', KEYS[3], 'task_arn', ARGV[5], 'instance_id', ARGV[6], 'launched_at', ARGV[7],
              'epoch', ARGV[1], 'version', ARGV[8], 'host', ARGV[6], 'pid', ARGV[9],
              'current_order', ARGV[11], 'last_order_at', ARGV[12], 'idle_at', ARGV[13],
              'sessions', ARGV[14])
            redis.call('PEXPIRE', KEYS[3], ARGV[3])
            redis.call('SET', KEYS[4], ARGV[4], 'EX', 3600)
            local now = redis.call('TIME')
            local millis = now[1] * 1000 + math.floor(now[2] / 1000)
            redis.call('ZADD', KEYS[6], millis + ARGV[3], ARGV[4])
            redis.call('SET', KEYS[7], ARGV[1] .. ':' .. string.format('%.0f', millis), 'EX', 600)
            return 'MINE'
            """;

    private static final String UPDATE = """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            redis.call('HSET', KEYS[2], 'current_order', ARGV[2], 'last_order_at', ARGV[3], 'idle_at', ARGV[4],
              'sessions', ARGV[5])
            return 1
            """;

    private static final String REMOVE = """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            redis.call('ZREM', KEYS[3], ARGV[2])
            return redis.call('DEL', KEYS[1], KEYS[2])
            """;

    private final UnifiedJedis redis;
    private final List<String> keys;
    private final List<String> arguments;
    private final String taskId;

    HeartbeatKey(UnifiedJedis redis, UserId userId, long epoch, TaskIdentity task, String version) {
        this.redis = redis;
        this.taskId = task.taskId();
        this.keys = List.of(
                RedisKeys.epoch(userId),
                RedisKeys.mark(userId),
                RedisKeys.metadata(userId),
                RedisKeys.task(taskId),
                RedisKeys.reserved(taskId),
                RedisKeys.MARKS,
                RedisKeys.renewed(userId));
        this.arguments = List.of(
                Long.toString(epoch),
                taskId,
                Long.toString(RedisKeys.MARK_TTL.toMillis()),
                userId.value(),
                task.taskArn(),
                task.host(),
                Instant.now().toString(),
                version,
                Long.toString(task.pid()),
                RedisKeys.RETIRED);
    }

    /**
     * Sets or extends the key.
     *
     * @throws redis.clients.jedis.exceptions.JedisException when Redis does not answer
     */
    Verdict renew(CurrentActivity activity) {
        return Verdict.valueOf((String) redis.eval(RENEW, keys, append(arguments, activity)));
    }

    /** Updates the metadata. No effect when the key is gone or another task holds it. */
    void update(CurrentActivity activity) {
        redis.eval(UPDATE, List.of(keys.get(1), keys.get(2)), append(List.of(taskId), activity));
    }

    private static List<String> append(List<String> arguments, CurrentActivity activity) {
        return Stream.concat(arguments.stream(), activity.fields().stream()).toList();
    }

    /** Removes the key. No effect when the key is gone or another task holds it. */
    void remove() {
        redis.eval(REMOVE, List.of(keys.get(1), keys.get(2), RedisKeys.MARKS), List.of(taskId, arguments.get(3)));
    }
}
