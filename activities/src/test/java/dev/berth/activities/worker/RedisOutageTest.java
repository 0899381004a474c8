package dev.berth.activities.worker;

import static dev.berth.activities.Samples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.local.LocalRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.worker.WorkerMarks.Mark;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a missing mark proves while Redis goes and comes. An outage counts for 2 s here, so that nobody waits long. */
class RedisOutageTest {
    private static final Duration SETTLES = Duration.ofSeconds(2);
    /** Nothing is over after so long. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private final ClientResources resources = ClientResources.builder()
            .reconnectDelay(Delay.constant(Duration.ofMillis(50)))
            .build();

    @TempDir
    private Path folder;

    private LocalRedis server;
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;
    private RedisOutages outages;

    @BeforeEach
    void start() throws Exception {
        server = LocalRedis.start(0, folder);
        client = RedisClient.create(resources, server.uri().toString());
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(1)))
                .build());
        connection = client.connect();
        outages = watched();
    }

    @AfterEach
    void stop() {
        client.shutdown();
        var _ = resources.shutdown();
        server.close();
    }

    private RedisOutages watched() {
        RedisOutages watching = new RedisOutages(SETTLES);
        connection.addListener(watching);
        return watching;
    }

    private Mark look(RedisOutages seen) {
        return new RedisWorkerMarks(connection.sync(), seen).look(ALICE);
    }

    private void awaitGone() {
        Awaitility.await().until(() -> look(outages) == Mark.GONE);
    }

    @DisplayName("X6 a mark that is gone proves something only when Redis has run for a while")
    @Test
    void aYoungServerProvesNothing() {
        assertThat(look(new RedisOutages(LONG))).isEqualTo(Mark.UNSURE);
        awaitGone();
        connection.sync().set(RedisKeys.mark(ALICE), "task-1");
        assertThat(look(outages)).isEqualTo(Mark.KEPT);
    }

    @DisplayName("X6 while Redis is away, and for a while after, a mark that is gone proves nothing")
    @Test
    void awayAndBack() throws Exception {
        awaitGone();
        int port = server.port();
        long closed = System.nanoTime();
        server.close();
        Awaitility.await().until(() -> look(outages) == Mark.UNSURE);
        server = LocalRedis.start(port, folder);
        Awaitility.await().until(() -> connection.isOpen());
        assertThat(outages.wasWithin(since(closed))).isTrue();
        awaitGone();
    }

    @DisplayName("X6 a lost connection counts, though the server itself ran on")
    @Test
    void aLostConnection() {
        awaitGone();
        try (var other = client.connect()) {
            String address = "127.0.0.1:" + portOf(connection);
            long killed = System.nanoTime();
            other.sync().clientKill(address);
            Awaitility.await().until(() -> outages.wasWithin(since(killed)));
        }
        awaitGone();
    }

    @DisplayName("X6 a process that did not see Redis go still hears from Redis that it started anew")
    @Test
    void anotherProcess() throws Exception {
        awaitGone();
        int port = server.port();
        long closed = System.nanoTime();
        server.close();
        server = LocalRedis.start(port, folder);
        // Redis tells whole seconds. The one before had run for as long as an outage counts, and so long more.
        Awaitility.await()
                .until(() -> connection.isOpen()
                        && look(new RedisOutages(since(closed).plusSeconds(1))) == Mark.UNSURE);
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
