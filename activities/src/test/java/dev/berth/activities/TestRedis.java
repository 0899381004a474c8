package dev.berth.activities;

import dev.berth.local.LocalRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Path;

/** A real Redis and a client of it. */
public final class TestRedis implements AutoCloseable {
    private final LocalRedis server;
    private final RedisClient client;
    private final RedisCommands<String, String> commands;

    private TestRedis(LocalRedis server) {
        this.server = server;
        this.client = RedisClient.create(server.uri().toString());
        this.commands = client.connect().sync();
    }

    public static TestRedis start(Path folder) throws IOException, InterruptedException {
        return new TestRedis(LocalRedis.start(0, folder));
    }

    public RedisCommands<String, String> commands() {
        return commands;
    }

    /** Commands of a connection that is closed: each fails as it does while Redis is away. */
    public RedisCommands<String, String> away() {
        var connection = client.connect();
        connection.close();
        return connection.sync();
    }

    public RedisClient client() {
        return client;
    }

    public void forgetEverything() {
        commands.flushall();
    }

    @Override
    public void close() {
        client.shutdown();
        server.close();
    }
}
