package dev.berth.host;

import dev.berth.local.LocalRedis;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** A real Redis and a client of it. */
public final class TestRedis implements AutoCloseable {
    private final LocalRedis server;
    private final UnifiedJedis client;

    private TestRedis(LocalRedis server) {
        this.server = server;
        this.client = RedisClient.create(server.uri());
    }

    public static TestRedis start(Path folder) throws IOException, InterruptedException {
        return new TestRedis(LocalRedis.start(0, folder));
    }

    public UnifiedJedis client() {
        return client;
    }

    public URI uri() {
        return server.uri();
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
