package dev.berth.routing;

import dev.berth.local.stack.LocalRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.util.FileSystemUtils;

/** A real Redis, empty before each test of a class, and a client of it with the API's options. */
public class TestRedis implements BeforeEachCallback, AfterAllCallback, AutoCloseable {
    private final Path folder;
    private final ClientResources resources = ClientResources.builder()
            .reconnectDelay(Delay.constant(Duration.ofMillis(50)))
            .build();
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private LocalRedis server;

    public TestRedis() {
        try {
            folder = Files.createTempDirectory("redis-");
            server = LocalRedis.start(0, folder);
        } catch (IOException | InterruptedException broken) {
            throw new IllegalStateException(broken);
        }
        client = RedisClient.create(resources, server.uri().toString());
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(2)))
                .build());
        connection = client.connect();
    }

    public RedisClient client() {
        return client;
    }

    public StatefulRedisConnection<String, String> connection() {
        return connection;
    }

    public RedisCommands<String, String> commands() {
        return connection.sync();
    }

    /**
     * Commands of a connection that is closed: each fails as it does while Redis is unavailable.
     */
    public RedisCommands<String, String> unavailable() {
        var closed = client.connect();
        closed.close();
        return closed.sync();
    }

    public URI uri() {
        return server.uri();
    }

    /** Stops the server until {@link #restart}. */
    public void stop() {
        server.close();
    }

    /** Returns when the client is connected again. */
    public void restart() throws IOException, InterruptedException {
        server = LocalRedis.start(server.port(), folder);
        Awaitility.await().until(connection::isOpen);
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        commands().flushall();
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        close();
    }

    @Override
    public void close() {
        client.shutdown();
        var _ = resources.shutdown();
        server.close();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }
}
