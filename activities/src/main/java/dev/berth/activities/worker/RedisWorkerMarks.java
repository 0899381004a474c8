package dev.berth.activities.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerMarks;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

/** Marks in Redis; each change is one script, so that no other client sees half of it. */
public final class RedisWorkerMarks implements WorkerMarks {
    private static final String RAISE = """
            local stored = tonumber(redis.call('GET', KEYS[1]) or '0')
            local wanted = tonumber(ARGV[1])
            if wanted > stored then
              redis.call('SET', KEYS[1], ARGV[1])
              return wanted
            end
            return stored
            """;

    private static final String CLEAR = """
            if redis.call('HGET', KEYS[2], 'epoch') == ARGV[1] then
              return redis.call('DEL', KEYS[1], KEYS[2])
            end
            return 0
            """;

    private final RedisCommands<String, String> redis;

    public RedisWorkerMarks(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    @Override
    public long raiseEpoch(UserId userId, long atLeast) {
        return redis.<Long>eval(
                RAISE, ScriptOutputType.INTEGER, new String[] {RedisKeys.epoch(userId)}, Long.toString(atLeast));
    }

    @Override
    public Mark look(UserId userId) {
        return redis.exists(RedisKeys.mark(userId)) > 0 ? Mark.KEPT : Mark.GONE;
    }

    @Override
    public void clear(UserId userId, long epoch) {
        redis.eval(
                CLEAR,
                ScriptOutputType.INTEGER,
                new String[] {RedisKeys.mark(userId), RedisKeys.metadata(userId)},
                Long.toString(epoch));
    }
}
