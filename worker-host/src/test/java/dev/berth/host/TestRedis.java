package dev.berth.host;

import dev.berth.local.LocalRedis;
import dev.berth.workflows.RedisKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** A real Redis and a client of it. */
public final class TestRedis implements AutoCloseable {
    private final Path folder;
    private final UnifiedJedis client;
    private LocalRedis server;

    private TestRedis(LocalRedis server, Path folder) {
        this.server = server;
        this.folder = folder;
        this.client = RedisClient.create(server.uri());
    }

    public static TestRedis start(Path folder) throws IOException, InterruptedException {
        TestRedis redis = new TestRedis(LocalRedis.start(0, folder), folder);
        // As the API has loaded it: no kill switch is on, and nothing is limited.
        redis.client.set(RedisKeys.FLEET_LOADED, "1");
        return redis;
    }

    public UnifiedJedis client() {
        return client;
    }

    public URI uri() {
        return server.uri();
    }

    /** Nobody listens at its address until {@link #comeBack}. */
    public void goAway() {
        server.close();
    }

    public void comeBack() throws IOException, InterruptedException {
        server = LocalRedis.start(server.uri().getPort(), folder);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
