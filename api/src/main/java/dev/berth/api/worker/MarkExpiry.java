package dev.berth.api.worker;

import dev.berth.api.BerthSettings;
import dev.berth.api.Roles;
import dev.berth.workflows.RedisKeys;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Hears from Redis that a mark ran out, and tells the lifecycle, which reads the mark again before it does anything.
 * Every replica hears and tells it: harmless. An expiry that nobody heard is found by whoever needs the worker next.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class MarkExpiry extends RedisPubSubAdapter<String, String> implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(MarkExpiry.class);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);
    /** When Redis was away, all marks may run out at once. */
    private static final int TOLD_AT_ONCE = 8;

    private static final String SWITCH = "notify-keyspace-events";

    private final RedisClient client;
    private final String channel;
    private final StatefulRedisConnection<String, String> redis;
    private final Lifecycles lifecycles;
    /** Never on the connection's own thread: a signal takes as long as Temporal does. */
    private final ExecutorService telling = Executors.newFixedThreadPool(
            TOLD_AT_ONCE, Thread.ofVirtual().name("mark-expiry-", 0).factory());

    private volatile boolean running;
    private volatile boolean subscribed;
    private volatile @Nullable StatefulRedisPubSubConnection<String, String> connection;

    MarkExpiry(
            RedisClient client,
            BerthSettings settings,
            StatefulRedisConnection<String, String> redis,
            Lifecycles lifecycles) {
        this.client = client;
        int database = RedisURI.create(settings.redisUri()).getDatabase();
        this.channel = "__keyevent@" + database + "__:expired";
        this.redis = redis;
        this.lifecycles = lifecycles;
    }

    @Override
    public void start() {
        running = true;
        telling.execute(this::listen);
    }

    /** Once connected, the client connects and subscribes anew by itself. */
    private void listen() {
        while (running && connection == null) {
            try {
                StatefulRedisPubSubConnection<String, String> made = client.connectPubSub();
                connection = made;
                made.addListener(this);
                made.sync().subscribe(channel);
            } catch (RedisException away) {
                LOG.warn("Redis is away, nobody hears of marks that run out: {}", away.getMessage());
                close();
                var _ = pause();
            }
        }
    }

    /** What Redis announces while it is false, nobody hears. */
    boolean isListening() {
        StatefulRedisPubSubConnection<String, String> to = connection;
        return subscribed && to != null && to.isOpen();
    }

    @Override
    public void subscribed(String to, long count) {
        subscribed = true;
        telling.execute(this::checkSwitch);
    }

    @Override
    public void message(String from, String key) {
        telling.execute(() -> expired(key));
    }

    private void expired(String key) {
        try {
            if (RedisKeys.isPoolMark(key)) {
                lifecycles.tellPool("refill");
            } else {
                RedisKeys.userOfMark(key).ifPresent(userId -> lifecycles.tell(userId, "markExpired"));
            }
        } catch (RuntimeException away) {
            LOG.warn("nobody was told that {} ran out: {}", key, away.getMessage());
        }
    }

    /** Redis sends these events only when it is told to. Not every Redis lets its clients look. */
    private void checkSwitch() {
        try {
            String on = redis.sync().configGet(SWITCH).getOrDefault(SWITCH, "");
            if (!announcesExpiry(on)) {
                LOG.warn(
                        "Redis does not announce keys that expire, so a frozen worker is found late:"
                                + " set {} to Ex (it is '{}')",
                        SWITCH,
                        on);
            }
        } catch (RedisCommandExecutionException forbidden) {
            LOG.info(
                    "whether Redis announces keys that expire can not be seen ({}); {} must hold Ex",
                    forbidden.getMessage(),
                    SWITCH);
        } catch (RedisException notBackYet) {
            if (pause()) {
                checkSwitch();
            }
        }
    }

    /** E: on the channels that are named after events. x: keys that expire; A stands for all kinds. */
    static boolean announcesExpiry(String on) {
        return on.contains("E") && (on.contains("x") || on.contains("A"));
    }

    /** False when it is time to stop. */
    private boolean pause() {
        try {
            Thread.sleep(TRY_AGAIN);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            running = false;
        }
        return running;
    }

    private void close() {
        StatefulRedisPubSubConnection<String, String> open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void stop() {
        running = false;
        close();
        telling.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
