package dev.berth.process;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Redis clients that fail soon and reconnect soon. */
public final class RedisConnections {
    private static final Logger LOG = LoggerFactory.getLogger(RedisConnections.class);

    /** Lettuce's own delay grows to 30 s; heartbeat keys would expire meanwhile. */
    private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);

    /** The connection to a silent server is closed after this time. */
    private static final Duration DEAD_PEER_TIMEOUT = Duration.ofSeconds(10);

    private static final Pattern CLUSTER = Pattern.compile("^cluster_enabled:1\\b", Pattern.MULTILINE);
    private static final Pattern EVICTION =
            Pattern.compile("^maxmemory_policy:((?!noeviction)\\S+)", Pattern.MULTILINE);
    /** The first with the commands of Berth's scripts; Valkey reports 7.2 here. */
    private static final Pattern TOO_OLD =
            Pattern.compile("^redis_version:((?:[0-5]|6\\.[01])\\.\\S*)", Pattern.MULTILINE);

    private RedisConnections() {}

    /** What the clients of one process share. */
    public static ClientResources resources() {
        FailoverListener failovers = new FailoverListener();
        ClientResources resources = ClientResources.builder()
                .reconnectDelay(Delay.constant(RECONNECT_DELAY))
                .nettyCustomizer(failovers)
                .build();
        resources
                .eventBus()
                .get()
                .ofType(ReconnectFailedEvent.class)
                .subscribe(failed -> failovers.explain(failed.getCause()));
        return resources;
    }

    /**
     * Connects to a primary.
     *
     * Warns of a server that evicts keys: it serves until its memory is full.
     *
     * @throws RedisException when there is no connection
     * @throws IllegalArgumentException when Berth cannot work with the server: a node of a cluster,
     *     or one that is too old
     */
    public static StatefulRedisConnection<String, String> connect(RedisClient client) {
        StatefulRedisConnection<String, String> connection = connected(client);
        String info = connection.sync().info();
        Optional<String> objection = objection(info);
        if (objection.isPresent()) {
            connection.close();
            throw new IllegalArgumentException("berth.redis-uri leads to " + objection.get());
        }
        eviction(info).ifPresent(LOG::error);
        return connection;
    }

    private static StatefulRedisConnection<String, String> connected(RedisClient client) {
        try {
            return client.connect();
        } catch (RedisException refused) {
            if (client.getResources().nettyCustomizer() instanceof FailoverListener failovers) {
                failovers.explain(refused);
            }
            throw refused;
        }
    }

    /** What an operator has to change, when the server evicts keys. */
    static Optional<String> eviction(String info) {
        return EVICTION.matcher(info)
                .results()
                .findFirst()
                .map(policy ->
                        "berth.redis-uri leads to a Redis that evicts keys when its memory is full (maxmemory-policy "
                                + policy.group(1)
                                + "): epochs and switches would be lost. Set maxmemory-policy to noeviction,"
                                + " at ElastiCache in a parameter group.");
    }

    /** @param info what the server tells of itself */
    static Optional<String> objection(String info) {
        Matcher old = TOO_OLD.matcher(info);
        if (CLUSTER.matcher(info).find()) {
            return Optional.of("a node of a Redis cluster. Berth's scripts change keys of several slots at once, which"
                    + " a cluster refuses: use one primary with replicas (\"cluster mode disabled\").");
        } else if (old.find()) {
            return Optional.of("Redis " + old.group(1) + ". Berth needs Redis 6.2 or Valkey 7.2, or a later one.");
        }
        return Optional.empty();
    }

    /**
     * A client whose commands fail at once while there is no connection.
     *
     * @param authorities certificates in PEM of those that sign the server's; null: the JDK's
     * @param commandTimeout of each command
     */
    public static RedisClient client(
            ClientResources resources, URI server, @Nullable Path authorities, Duration commandTimeout) {
        RedisClient client = RedisClient.create(resources, server.toString());
        if (resources.nettyCustomizer() instanceof FailoverListener failovers) {
            client.addListener(failovers);
        }
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(commandTimeout))
                .socketOptions(deadPeerDetection())
                .sslOptions(tls(authorities))
                .build());
        return client;
    }

    private static SslOptions tls(@Nullable Path authorities) {
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
        return (authorities == null ? options : options.trustManager(authorities.toFile())).build();
    }

    /**
     * A host that loses its network closes no connection. The system would retransmit for a quarter
     * of an hour, and a subscription would wait for two hours. The user timeout needs Linux.
     */
    private static SocketOptions deadPeerDetection() {
        return SocketOptions.builder()
                .tcpUserTimeout(TcpUserTimeoutOptions.builder()
                        .enable()
                        .tcpUserTimeout(DEAD_PEER_TIMEOUT)
                        .build())
                .keepAlive(KeepAliveOptions.builder()
                        .enable()
                        .idle(DEAD_PEER_TIMEOUT.dividedBy(2))
                        .interval(RECONNECT_DELAY)
                        .count(3)
                        .build())
                .build();
    }
}
