package dev.berth.rest.risk;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

/** The epochs that stops ended, in Redis: the send gates of their workers stay closed. */
public final class StoppedEpochs {
    private static final String RAISE = """
            if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then
              redis.call('SET', KEYS[1], ARGV[1])
            end
            return 1
            """;

    private final RedisCommands<String, String> redis;

    public StoppedEpochs(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    /**
     * Closes the gate of this epoch and of every earlier one. May be repeated.
     *
     * @throws RedisException when Redis does not answer
     */
    public void close(UserId userId, long epoch) {
        redis.eval(RAISE, ScriptOutputType.INTEGER, new String[] {RedisKeys.stopped(userId)}, Long.toString(epoch));
    }
}
