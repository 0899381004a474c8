package dev.berth.api.worker;

import dev.berth.activities.worker.RedisOutages;
import dev.berth.api.Periodic;
import dev.berth.workflows.RedisKeys;
import io.lettuce.core.RedisException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Asks Redis now and then, since a server that hangs keeps its connections, but no mark can be renewed there. */
@Component
class RedisWatch extends Periodic {
    private static final Logger LOG = LoggerFactory.getLogger(RedisWatch.class);
    /** Shorter than the 5 s between two renewals of a mark. */
    private static final Duration EVERY = Duration.ofSeconds(3);

    private final StatefulRedisConnection<String, String> redis;
    private final RedisOutages outages;
    private boolean away;

    RedisWatch(StatefulRedisConnection<String, String> redis, RedisOutages outages) {
        super("redis-watch", EVERY);
        this.redis = redis;
        this.outages = outages;
    }

    @Override
    protected void round() {
        boolean answers = answers();
        if (answers == away) {
            LOG.warn(
                    answers
                            ? "Redis is back"
                            : "Redis is away: no order is accepted, and no worker replaced on its word");
            away = !answers;
        }
    }

    private boolean answers() {
        try {
            // One that answers, but refuses to write, lets every mark run out.
            redis.sync().set(RedisKeys.WATCH, "", SetArgs.Builder.ex(EVERY.multipliedBy(10)));
            return true;
        } catch (RedisException away) {
            if (isRunning()) {
                outages.happened();
            }
            return false;
        }
    }
}
