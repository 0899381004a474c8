package dev.berth.activities.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerMarks;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    private static final Pattern UPTIME = Pattern.compile("(?m)^uptime_in_seconds:(\\d+)");

    private final RedisCommands<String, String> redis;
    private final RedisOutages outages;

    /** @param outages hears from the connection of {@code redis} */
    public RedisWorkerMarks(RedisCommands<String, String> redis, RedisOutages outages) {
        this.redis = redis;
        this.outages = outages;
    }

    @Override
    public long raiseEpoch(UserId userId, long atLeast) {
        return redis.<Long>eval(
                RAISE, ScriptOutputType.INTEGER, new String[] {RedisKeys.epoch(userId)}, Long.toString(atLeast));
    }

    @Override
    public Mark look(UserId userId) {
        try {
            if (redis.exists(RedisKeys.mark(userId)) > 0) {
                return Mark.KEPT;
            }
            return outages.isRecent() || hasJustStarted() ? Mark.UNSURE : Mark.GONE;
        } catch (RedisException away) {
            outages.happened();
            return Mark.UNSURE;
        }
    }

    /** Whether Redis is away, or was within the last 60 s: then what is gone from it proves nothing. */
    public boolean proveNothing() {
        try {
            return outages.isRecent() || hasJustStarted();
        } catch (RedisException away) {
            outages.happened();
            return true;
        }
    }

    /** A Redis that came back without its data has no marks, though this process may not have seen it go. */
    private boolean hasJustStarted() {
        Matcher uptime = UPTIME.matcher(redis.info("server"));
        return !uptime.find() || outages.mayHideBehind(Duration.ofSeconds(Long.parseLong(uptime.group(1))));
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
