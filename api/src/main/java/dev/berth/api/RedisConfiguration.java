package dev.berth.api;

import dev.berth.activities.worker.RedisOutages;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The Redis client of this process. */
@Configuration
class RedisConfiguration {
    /** Lettuce's own delay grows to 30 s; heartbeat keys would expire meanwhile. */
    private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    /** The connection to a silent server is closed after this time. */
    private static final Duration DEAD_PEER_TIMEOUT = Duration.ofSeconds(10);

    @Bean(destroyMethod = "shutdown")
    ClientResources redisResources() {
        return ClientResources.builder()
                .reconnectDelay(Delay.constant(RECONNECT_DELAY))
                .build();
    }

    @Bean(destroyMethod = "shutdown")
    RedisClient redisClient(ClientResources resources, BerthSettings settings) {
        RedisClient client = RedisClient.create(resources, settings.redisUri().toString());
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(COMMAND_TIMEOUT))
                .socketOptions(deadPeerDetection())
                .build());
        return client;
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

    @Bean(destroyMethod = "close")
    StatefulRedisConnection<String, String> redis(RedisClient client) {
        return client.connect();
    }

    @Bean
    RedisOutages redisOutages(StatefulRedisConnection<String, String> redis) {
        RedisOutages outages = new RedisOutages();
        redis.addListener(outages);
        return outages;
    }
}
