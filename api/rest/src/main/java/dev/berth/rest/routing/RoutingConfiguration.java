package dev.berth.rest.routing;

import dev.berth.process.RedisConnections;
import dev.berth.process.settings.BerthSettings;
import dev.berth.routing.CallResult;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.ReplicaInbox;
import dev.berth.routing.ReplicaRegistry;
import dev.berth.routing.RouteRegistry;
import dev.berth.routing.RoutedCalls;
import dev.berth.routing.StreamEvents;
import dev.berth.routing.StreamRegistry;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Adapters for the routing between replicas. */
@Configuration
@Import({ReplicaRegistry.class, RouteRegistry.class, StreamEvents.class})
class RoutingConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(RoutingConfiguration.class);

    /** Longer than a blocking pop: a request that comes after the timeout would be lost. */
    private static final Duration BLOCKING_TIMEOUT = Duration.ofSeconds(10);

    @Bean
    ReplicaId replicaId() {
        return ReplicaId.create(hostName());
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException none) {
            return "localhost";
        }
    }

    @Bean
    StreamRegistry streamRegistry(StatefulRedisConnection<String, String> redis) {
        return new StreamRegistry(redis.async());
    }

    @Bean(destroyMethod = "shutdown")
    RedisClient blockingRedis(ClientResources resources, BerthSettings settings) {
        return RedisConnections.client(
                resources, settings.redisUri(), settings.tls().redisCaFile(), BLOCKING_TIMEOUT);
    }

    /** Subjects set their handlers before the context starts it. */
    @Bean(destroyMethod = "close")
    ReplicaInbox replicaInbox(@Qualifier("blockingRedis") RedisClient redis, ReplicaId replica) {
        return new ReplicaInbox(redis, replica);
    }

    @Bean(destroyMethod = "close")
    RoutedCalls routedCalls(RedisClient redis, MeterRegistry metrics) {
        return new RoutedCalls(redis, (kind, result, time) -> record(metrics, kind, result, time));
    }

    private static void record(MeterRegistry metrics, String kind, CallResult result, Duration time) {
        Timer.builder("berth.routing.calls")
                .description("routed calls, from the look-up of the owner to the answer")
                .tags("kind", kind, "result", result.code())
                .publishPercentileHistogram()
                .register(metrics)
                .record(time);
        LOG.debug("routed call of kind {}: {} after {} ms", kind, result.code(), time.toMillis());
    }
}
