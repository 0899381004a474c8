package dev.berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.worker.RedisOutages;
import dev.berth.local.stack.LocalRedis;
import dev.berth.routing.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Redis after a failover, as ElastiCache does it, and in cluster mode. */
class RedisFailoverTest {
    private static final Logger LOG = LoggerFactory.getLogger(RedisFailoverTest.class);

    @RegisterExtension
    private static final TestRedis first = new TestRedis();

    @RegisterExtension
    private static final TestRedis second = new TestRedis();

    private final SwitchedPort name = new SwitchedPort(first.uri());
    private final ClientResources resources = RedisConnections.resources();
    private final RedisClient client = RedisConnections.client(resources, name.uri(), null, Duration.ofSeconds(2));

    RedisFailoverTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        client.shutdown();
        var _ = resources.shutdown();
        name.close();
        follow(first.commands(), null);
        follow(second.commands(), null);
    }

    /** Null makes it a primary. */
    private static void follow(RedisCommands<String, String> replica, @Nullable TestRedis primary) {
        if (primary == null) {
            replica.replicaofNoOne();
        } else {
            replica.replicaof(primary.uri().getHost(), primary.uri().getPort());
        }
    }

    @Test
    @Tag("X22")
    @DisplayName("After a failover of Redis writes reach the new primary within 5 s, and subscriptions do too")
    void writesReachNewPrimary() {
        follow(second.commands(), first);
        StatefulRedisConnection<String, String> connection = RedisConnections.connect(client);
        RedisOutages outages = new RedisOutages();
        connection.addListener(outages);
        StatefulRedisPubSubConnection<String, String> subscription = client.connectPubSub();
        LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
        subscription.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                heard.add(message);
            }
        });
        subscription.sync().subscribe("order-events:alice");
        connection.sync().set("epoch", "1");
        await().until(() -> "1".equals(second.commands().get("epoch")));

        follow(second.commands(), null);
        name.to(second.uri());
        follow(first.commands(), second);
        long failover = System.nanoTime();
        await().pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(10))
                .until(() -> isWritten(connection));

        Duration took = Duration.ofNanos(System.nanoTime() - failover);
        LOG.warn("a write reached the new primary {} ms after the failover", took.toMillis());
        assertThat(took).isLessThan(Duration.ofSeconds(5));
        assertThat(second.commands().get("epoch")).isEqualTo("2");
        assertThat(outages.wasWithin(Duration.ofSeconds(10)))
                .as("no worker is replaced meanwhile")
                .isTrue();
        await().atMost(Duration.ofSeconds(5)).until(() -> {
            second.commands().publish("order-events:alice", "filled");
            return heard.contains("filled");
        });
    }

    private static boolean isWritten(StatefulRedisConnection<String, String> connection) {
        try {
            // As Berth's scripts do.
            connection.sync().eval("return redis.call('SET', KEYS[1], 2)", ScriptOutputType.STATUS, "epoch");
            return true;
        } catch (RedisException readOnlyOrUnavailable) {
            return false;
        }
    }

    @Test
    @Tag("X22")
    @DisplayName("When Redis has no memory or no connection left, a sentence says what to do")
    void exhaustedRedisIsExplained() {
        second.commands().configSet("maxmemory", "1");
        try {
            assertThat(FailoverListener.advice(
                            catchThrowable(() -> second.commands().set("key", "value"))))
                    .hasValueSatisfying(advice -> assertThat(advice).contains("maxmemory"));
        } finally {
            second.commands().configSet("maxmemory", "0");
        }
        String before = second.commands().configGet("maxclients").get("maxclients");
        name.to(second.uri());
        second.commands().configSet("maxclients", "1");
        try {
            assertThat(FailoverListener.advice(catchThrowable(() -> RedisConnections.connect(client))))
                    .hasValueSatisfying(advice -> assertThat(advice).contains("Raise maxclients"));
        } finally {
            second.commands().configSet("maxclients", before);
        }
    }

    @Test
    @Tag("X22")
    @DisplayName("A Redis that evicts keys is named at the start, and one that is too old is refused")
    void evictionIsNamed() {
        assertThat(RedisConnections.eviction(second.commands().info())).isEmpty();
        second.commands().configSet("maxmemory-policy", "volatile-lru");
        try {
            assertThat(RedisConnections.eviction(second.commands().info()))
                    .hasValueSatisfying(warning ->
                            assertThat(warning).contains("volatile-lru", "Set maxmemory-policy to noeviction"));
        } finally {
            second.commands().configSet("maxmemory-policy", "noeviction");
        }
        for (String version : List.of("5.0.14", "6.0.16")) {
            assertThat(RedisConnections.objection("# Server\r\nredis_version:" + version + "\r\n"))
                    .hasValueSatisfying(
                            objection -> assertThat(objection).startsWith("Redis " + version + ". Berth needs"));
        }
        for (String version : List.of("6.2.6", "7.2.4", "10.0.1")) {
            assertThat(RedisConnections.objection("redis_version:" + version + "\r\nmaxmemory_policy:noeviction\r\n"))
                    .isEmpty();
        }
    }

    @Test
    @Tag("X22")
    @DisplayName("A start on a Redis cluster fails, and says what to use instead")
    void clusterModeIsRefused(@TempDir Path folder) throws Exception {
        try (LocalRedis node = LocalRedis.startClusterNode(folder);
                RedisClient cluster = RedisConnections.client(resources, node.uri(), null, Duration.ofSeconds(2))) {
            long began = System.nanoTime();
            assertThatThrownBy(() -> RedisConnections.connect(cluster))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("one primary with replicas");
            LOG.warn(
                    "refused after {} ms",
                    Duration.ofNanos(System.nanoTime() - began).toMillis());
        }
    }
}
