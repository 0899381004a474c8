package dev.berth.activities.worker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.routing.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.worker.WorkerHeartbeats.HeartbeatKeyState;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a missing heartbeat proves around an outage of Redis. An outage counts for 2 s here, to keep
 * the test short.
 */
class RedisOutagesTest {
    private static final Duration SETTLES = Duration.ofSeconds(2);
    /** Nothing is over after so long. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private final TestRedis redis = new TestRedis();
    private final StatefulRedisConnection<String, String> connection = redis.connection();
    private final RedisOutages outages = watched();

    @AfterEach
    void stop() {
        redis.close();
    }

    private RedisOutages watched() {
        RedisOutages watching = new RedisOutages(SETTLES);
        connection.addListener(watching);
        return watching;
    }

    private HeartbeatKeyState look(RedisOutages seen) {
        return new RedisWorkerHeartbeats(connection.sync(), seen).readKey(ALICE);
    }

    private void awaitGone() {
        Awaitility.await().until(() -> look(outages) == HeartbeatKeyState.ABSENT);
    }

    @Tag("X6")
    @DisplayName("A heartbeat that is gone proves something only when Redis has run for a while")
    @Test
    void aYoungServerProvesNothing() {
        assertThat(look(new RedisOutages(LONG))).isEqualTo(HeartbeatKeyState.UNKNOWN);
        awaitGone();
        connection.sync().set(RedisKeys.heartbeat(ALICE), "task-1");
        assertThat(look(outages)).isEqualTo(HeartbeatKeyState.PRESENT);
    }

    @Tag("X6")
    @DisplayName("While Redis is unavailable, and for a while after, a heartbeat that is gone proves nothing")
    @Test
    void awayAndBack() throws Exception {
        awaitGone();
        long closed = System.nanoTime();
        redis.stop();
        Awaitility.await().until(() -> look(outages) == HeartbeatKeyState.UNKNOWN);
        redis.restart();
        assertThat(outages.wasWithin(since(closed))).isTrue();
        awaitGone();
    }

    @Tag("X6")
    @DisplayName("A lost connection counts, though the server itself ran on")
    @Test
    void aLostConnection() {
        awaitGone();
        try (var other = redis.client().connect()) {
            String address = "127.0.0.1:" + portOf(connection);
            long killed = System.nanoTime();
            other.sync().clientKill(address);
            Awaitility.await().until(() -> outages.wasWithin(since(killed)));
        }
        awaitGone();
    }

    @Tag("X6")
    @DisplayName("A process that did not see Redis go still hears from Redis that it started anew")
    @Test
    void unseenRestartIsNoticed() throws Exception {
        awaitGone();
        long closed = System.nanoTime();
        redis.stop();
        redis.restart();
        // Redis tells whole seconds. The one before had run for as long as an outage counts, and so
        // long more.
        Awaitility.await()
                .until(() -> look(new RedisOutages(since(closed).plusSeconds(1))) == HeartbeatKeyState.UNKNOWN);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static String portOf(StatefulRedisConnection<String, String> connection) {
        String address = connection
                .sync()
                .clientList()
                .lines()
                .filter(line -> line.contains("id=" + connection.sync().clientId() + " "))
                .findFirst()
                .orElseThrow();
        return address.replaceAll(".* addr=127\\.0\\.0\\.1:(\\d+) .*", "$1");
    }
}
