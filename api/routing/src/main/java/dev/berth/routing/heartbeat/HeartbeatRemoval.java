package dev.berth.routing.heartbeat;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.stream.Stream;

/**
 * Removes the heartbeat of one process, never that of the next one: each call is one script, which
 * first compares.
 */
public final class HeartbeatRemoval {
    private static final String REMOVE = """
            redis.call('ZREM', KEYS[3], ARGV[2])
            return redis.call('DEL', KEYS[1], KEYS[2], unpack(KEYS, 4))
            """;

    private static final String OF_TASK = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n" + REMOVE;

    private static final String OF_EPOCH =
            "if redis.call('HGET', KEYS[2], '" + WorkerHeartbeat.EPOCH + "') ~= ARGV[1] then return 0 end\n" + REMOVE;

    private final RedisCommands<String, String> redis;

    public HeartbeatRemoval(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /**
     * Removes the heartbeat of this task.
     *
     * @param more keys to delete with it
     * @return false when there is none, or that of another task
     */
    public boolean removeOfTask(UserId userId, String taskId, String... more) {
        return remove(OF_TASK, userId, taskId, more);
    }

    /** As {@link #removeOfTask}, of the process of this epoch. */
    public boolean removeOfEpoch(UserId userId, long epoch) {
        return remove(OF_EPOCH, userId, Long.toString(epoch));
    }

    private boolean remove(String script, UserId userId, String expected, String... more) {
        String[] keys = Stream.concat(
                        Stream.of(RedisKeys.heartbeat(userId), RedisKeys.metadata(userId), RedisKeys.HEARTBEATS),
                        Stream.of(more))
                .toArray(String[]::new);
        return redis.<Long>eval(script, ScriptOutputType.INTEGER, keys, expected, userId.value()) > 0;
    }
}
