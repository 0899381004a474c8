package dev.berth.host.worker;

import dev.berth.host.TaskIdentity;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import redis.clients.jedis.UnifiedJedis;

/** This worker's mark in Redis. Every change is one script that first compares the epoch. */
final class Mark {
    /** What Redis made of a claim or a renewal. */
    enum Verdict {
        MINE,
        /** Another task holds the mark; this one must not serve. */
        TAKEN,
        /** The user has a newer epoch: this worker's time is over. */
        SUPERSEDED,
        /** Redis lost the epoch; whether this one still counts is not known. */
        EPOCH_LOST,
        /** Redis has an older epoch: it came back with it, or somebody began anew who did not know of this worker. */
        EPOCH_OLDER
    }

    /**
     * Sets or extends the mark if the epoch is the current one and the mark is nobody's or mine. A pool worker that is
     * retired takes no claim.
     */
    private static final String KEEP = """
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
            redis.call('ZADD', KEYS[6], now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[3], ARGV[4])
            return 'MINE'
            """;

    private static final String TELL = """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            redis.call('HSET', KEYS[2], 'current_order', ARGV[2], 'last_order_at', ARGV[3], 'idle_at', ARGV[4],
              'sessions', ARGV[5])
            return 1
            """;

    private static final String REMOVE = """
            if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1], KEYS[2]) end
            return 0
            """;

    private final UnifiedJedis redis;
    private final List<String> keys;
    private final List<String> arguments;
    private final String taskId;

    Mark(UnifiedJedis redis, UserId userId, long epoch, TaskIdentity task, String version) {
        this.redis = redis;
        this.taskId = task.taskId();
        this.keys = List.of(
                RedisKeys.epoch(userId),
                RedisKeys.mark(userId),
                RedisKeys.metadata(userId),
                RedisKeys.task(taskId),
                RedisKeys.reserved(taskId),
                RedisKeys.MARKS);
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
     * Sets the mark, or extends it.
     *
     * @throws redis.clients.jedis.exceptions.JedisException when Redis does not answer
     */
    Verdict keep(Occupation doing) {
        return Verdict.valueOf((String) redis.eval(KEEP, keys, with(arguments, doing)));
    }

    /** Says what the worker does, in metadata that are there. The mark is gone, or another's: nothing happens. */
    void tell(Occupation doing) {
        redis.eval(TELL, List.of(keys.get(1), keys.get(2)), with(List.of(taskId), doing));
    }

    private static List<String> with(List<String> arguments, Occupation doing) {
        return Stream.concat(arguments.stream(), doing.fields().stream()).toList();
    }

    /** Removes it if it is mine. Gone, or another's: nothing happens. */
    void remove() {
        redis.eval(REMOVE, List.of(keys.get(1), keys.get(2)), List.of(taskId));
    }
}
