package dev.berth.api.worker;

import dev.berth.api.Periodic;
import dev.berth.api.Roles;
import dev.berth.workflows.RedisKeys;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Has Redis announce a mark when it runs out, which {@link MarkExpiry} hears. Redis by itself looks at 200 keys a second to
 * find those that ran out, of all that ever will: with 10,000 workers it announced a mark up to 137 s late. One that
 * somebody asks for it announces at once. Every replica may ask, but for one that does not listen itself: it is announced once.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class DueMarks extends Periodic {
    private static final Duration EVERY = Duration.ofMillis(500);
    /** So that others wait for some milliseconds at most; the rest is due in the next round. */
    private static final int AT_ONCE = 1_000;

    /**
     * A worker that closed took its mark with it: that is announced to nobody. One that is of a version that does not say
     * when its mark runs out is looked at when it does.
     */
    private static final String ASK = """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
            for _, user in ipairs(due) do
              local left = redis.call('PTTL', ARGV[2] .. user)
              if left < 0 then redis.call('ZREM', KEYS[1], user) else redis.call('ZADD', KEYS[1], now + left, user) end
            end
            for _, task in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do redis.call('PTTL', ARGV[3] .. task) end
            return #due
            """;

    private final MarkExpiry expiry;
    private final StatefulRedisConnection<String, String> redis;

    DueMarks(MarkExpiry expiry, StatefulRedisConnection<String, String> redis) {
        super("due-marks", EVERY);
        this.expiry = expiry;
        this.redis = redis;
    }

    @Override
    protected void round() {
        if (!expiry.isListening()) {
            return;
        }
        redis.sync()
                .eval(
                        ASK,
                        ScriptOutputType.INTEGER,
                        new String[] {RedisKeys.MARKS, RedisKeys.POOL_IDLE},
                        Integer.toString(AT_ONCE),
                        RedisKeys.MARK,
                        RedisKeys.poolMark(""));
    }
}
