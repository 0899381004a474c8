package dev.berth.api.worker;

import dev.berth.activities.worker.RedisOutages;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Asks Redis now and then, since a server that hangs keeps its connections, but no mark can be renewed there. */
@Component
class RedisWatch implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(RedisWatch.class);
    /** Shorter than the 5 s between two renewals of a mark. */
    private static final Duration EVERY = Duration.ofSeconds(3);

    private final StatefulRedisConnection<String, String> redis;
    private final RedisOutages outages;
    private volatile boolean running;
    private Thread watching = Thread.ofVirtual().unstarted(() -> {});

    RedisWatch(StatefulRedisConnection<String, String> redis, RedisOutages outages) {
        this.redis = redis;
        this.outages = outages;
    }

    @Override
    public void start() {
        running = true;
        watching = Thread.ofVirtual().name("redis-watch").start(this::watch);
    }

    private void watch() {
        boolean away = false;
        while (running) {
            boolean answers = answers();
            if (answers == away) {
                LOG.warn(
                        answers
                                ? "Redis is back"
                                : "Redis is away: no order is accepted, and no worker replaced on its word");
                away = !answers;
            }
            try {
                Thread.sleep(EVERY);
            } catch (InterruptedException stop) {
                return;
            }
        }
    }

    private boolean answers() {
        try {
            redis.sync().ping();
            return true;
        } catch (RedisException away) {
            if (running) {
                outages.happened();
            }
            return false;
        }
    }

    @Override
    public void stop() {
        running = false;
        watching.interrupt();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
