package dev.berth.process;

import dev.berth.activities.worker.RedisOutages;
import dev.berth.workflows.RedisKeys;
import io.lettuce.core.RedisException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Writes to Redis periodically: a hanging server keeps its connections, but no worker can renew its
 * heartbeat key.
 */
@Component
class RedisWatch extends PeriodicTask {
    private static final Logger LOG = LoggerFactory.getLogger(RedisWatch.class);
    /** Shorter than the 5 s between two renewals of a heartbeat key. */
    private static final Duration EVERY = Duration.ofSeconds(3);

    private final StatefulRedisConnection<String, String> redis;
    private final RedisOutages outages;
    private boolean unavailable;

    RedisWatch(StatefulRedisConnection<String, String> redis, RedisOutages outages) {
        super("redis-watch", EVERY);
        this.redis = redis;
        this.outages = outages;
    }

    @Override
    protected void round() {
        boolean answers = answers();
        if (answers == unavailable) {
            LOG.warn(
                    answers
                            ? "Redis answers again"
                            : "Redis does not answer: orders are refused, and expired heartbeat keys prove nothing");
            unavailable = !answers;
        }
    }

    private boolean answers() {
        try {
            // A Redis that answers but refuses writes lets every heartbeat key expire.
            redis.sync().set(RedisKeys.WATCH, "", SetArgs.Builder.ex(EVERY.multipliedBy(10)));
            return true;
        } catch (RedisException unavailable) {
            if (isRunning()) {
                outages.record();
            }
            return false;
        }
    }
}
