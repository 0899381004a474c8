package dev.berth.server.gateway;

import dev.berth.gateway.ClaimReader;
import dev.berth.gateway.ClaimResult;
import dev.berth.gateway.FixJournals;
import dev.berth.gateway.GatewayListener;
import dev.berth.gateway.GatewayServer;
import dev.berth.gateway.GatewaySettings;
import dev.berth.gateway.Refusal;
import dev.berth.process.RedisConnections;
import dev.berth.process.TracingConfiguration;
import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.GatewayOptions;
import dev.berth.routing.RoutedCalls;
import dev.berth.temporal.codec.DerivedPayloadKeys;
import dev.berth.temporal.codec.FileMasterKeys;
import dev.berth.temporal.tracing.SpanExport;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Serves workers, with connections of its own to Redis and PostgreSQL. */
@Configuration
public class GatewayConfiguration {
    /** A worker whose heartbeat waits in vain must hear of it while its lease still lasts. */
    private static final Duration REDIS_TIMEOUT = Duration.ofMillis(1_500);

    @Bean(destroyMethod = "shutdown")
    ClientResources gatewayRedisResources() {
        return RedisConnections.resources();
    }

    @Bean(destroyMethod = "shutdown")
    RedisClient gatewayRedis(
            @Qualifier("gatewayRedisResources") ClientResources resources,
            @Value("${berth.redis-uri}") URI redis,
            @Value("${berth.tls.redis-ca-file:#{null}}") @Nullable Path authorities) {
        return RedisConnections.client(resources, redis, authorities, REDIS_TIMEOUT);
    }

    @Bean
    GatewayListener gatewayMetrics(MeterRegistry metrics) {
        // At zero from the start on, so that an alarm on the increase sees the first refusal.
        for (Refusal reason : Refusal.values()) {
            refused(metrics, "none", reason);
        }
        for (ClaimResult result : ClaimResult.values()) {
            claims(metrics, result);
        }
        DistributionSummary requestsUsed = DistributionSummary.builder("berth.broker.requests.used")
                .description("percent of the broker's request limit that an account has used, at each heartbeat")
                .serviceLevelObjectives(25, 50, 70, 85)
                .register(metrics);
        return new GatewayListener() {
            @Override
            public void refused(String method, Refusal reason) {
                GatewayConfiguration.refused(metrics, method, reason).increment();
            }

            @Override
            public void requestsUsed(int percent) {
                requestsUsed.record(percent);
            }

            @Override
            public void connectionClosed(ConnectionEnd reason) {
                metrics.counter("berth.gateway.connections.closed", "reason", reason.name())
                        .increment();
            }

            @Override
            public void claim(ClaimResult result) {
                claims(metrics, result).increment();
            }
        };
    }

    private static Counter refused(MeterRegistry metrics, String method, Refusal reason) {
        return metrics.counter("berth.gateway.refused", "method", method, "reason", reason.name());
    }

    private static Counter claims(MeterRegistry metrics, ClaimResult result) {
        return metrics.counter("berth.gateway.claims", "result", result.name());
    }

    /** The calls of workers to their users' machines. */
    @Bean(destroyMethod = "close", defaultCandidate = false)
    RoutedCalls gatewayRoutedCalls(@Qualifier("gatewayRedis") RedisClient redis, MeterRegistry metrics) {
        return new RoutedCalls(
                redis,
                (kind, result, time) -> Timer.builder("berth.routing.calls")
                        .description("routed calls, from the look-up of the owner to the answer")
                        .tags("kind", kind, "result", result.code())
                        .publishPercentileHistogram()
                        .register(metrics)
                        .record(time));
    }

    /** Exports workers' spans: a worker that sends too many drops no spans of the API. */
    @Bean(defaultCandidate = false)
    SpanExport workerSpans(Environment environment) {
        return TracingConfiguration.export(environment, "berth-worker");
    }

    /** With connections of their own: workers that write much take none from the API. */
    @Bean(destroyMethod = "close")
    FixJournals fixJournals(Environment environment) {
        return new FixJournals(JournalDatabase.connections(environment));
    }

    @Bean(destroyMethod = "close")
    GatewayServer gatewayServer(
            Environment environment,
            @Value("${spring.temporal.namespace}") String namespace,
            @Value("${berth.codec.key-file}") Path payloadKeys,
            @Qualifier("gatewayRedis") RedisClient redis,
            @Qualifier("claimsSqs") SqsClient sqs,
            @Qualifier("gatewayRoutedCalls") RoutedCalls routed,
            FixJournals journals,
            WorkflowServiceStubs temporal,
            GatewayListener listener,
            @Qualifier("workerSpans") SpanExport spans,
            MeterRegistry metrics)
            throws IOException {
        GatewayOptions options = Binder.get(environment).bindOrCreate("berth.gateway", GatewayOptions.class);
        BerthSettings.Sqs queues = Binder.get(environment).bindOrCreate("berth.sqs", BerthSettings.Sqs.class);
        GatewaySettings settings = GatewayFiles.read(
                options, namespace, new DerivedPayloadKeys(new FileMasterKeys(payloadKeys, InstantSource.system())));
        GatewayServer server = GatewayServer.start(
                settings,
                RedisConnections.connect(redis),
                redis.connectPubSub(),
                new ClaimReader(sqs, queues.poolClaim(), listener),
                temporal,
                routed,
                journals,
                listener,
                spans);
        Gauge.builder("berth.gateway.parked.polls", server, GatewayServer::parkedPolls)
                .description("polls of workers that wait at Temporal")
                .register(metrics);
        Gauge.builder("berth.gateway.parked.workers", server, GatewayServer::parkedWorkers)
                .description("idle pool workers that wait for their claim")
                .register(metrics);
        return server;
    }

    /** A process with another role has its own. */
    @Bean(destroyMethod = "close", defaultCandidate = false)
    SqsClient claimsSqs() {
        return SqsClient.create();
    }
}
