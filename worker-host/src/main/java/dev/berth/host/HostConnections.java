package dev.berth.host;

import dev.berth.host.broker.CredentialKeys;
import dev.berth.temporal.TemporalConnection;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.JedisURIHelper;

/** What this process is connected to, and who it is. Made in parallel, since each waits for another server. */
public record HostConnections(
        WorkerSettings settings,
        TaskIdentity task,
        Supplier<HttpClient> http,
        UnifiedJedis redis,
        WorkflowServiceStubs stubs,
        WorkflowClient temporal,
        CredentialKeys keys) {
    /**
     * Less than the 90 s that a lifecycle waits for its process. A Temporal that is slow because many processes start at
     * once must not end them all: that would hold every further launch, since the image seems to be broken.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Connects, or fails within a minute with the name of what did not answer; then another task is started. */
    static HostConnections open(WorkerSettings settings) throws InterruptedException {
        // Not virtual ones: those would load pollers, which no class archive holds, before the first answer.
        try (ExecutorService parallel =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            Future<WorkflowServiceStubs> stubs = parallel.submit(() -> connectTemporal(settings));
            Future<UnifiedJedis> redis = parallel.submit(() -> connectRedis(settings));
            Future<CredentialKeys> keys = parallel.submit((Callable<CredentialKeys>) CredentialKeys::new);
            TaskIdentity task =
                    get("the task metadata endpoint", parallel.submit(() -> TaskIdentity.ask(settings.metadata())));
            WorkflowServiceStubs temporal = get("Temporal at " + settings.temporalTarget(), stubs);
            UnifiedJedis marks = get("Redis at " + settings.redis(), redis);
            CredentialKeys pair = get("the key pair", keys);
            // Last, and not waited for: reading the trusted certificates takes a tenth of a second, and only a session
            // needs them, some time from now.
            Supplier<HttpClient> http = CompletableFuture.supplyAsync(HostConnections::httpClient)::join;
            WorkflowClientOptions options = WorkflowClientOptions.newBuilder()
                    .setNamespace(settings.temporalNamespace())
                    .setDataConverter(TemporalConnection.DATA_CONVERTER)
                    .setIdentity(task.taskId() + "@" + task.host() + ":" + task.pid())
                    .build();
            return new HostConnections(
                    settings, task, http, marks, temporal, WorkflowClient.newInstance(temporal, options), pair);
        }
    }

    private static HttpClient httpClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    private static WorkflowServiceStubs connectTemporal(WorkerSettings settings) {
        WorkflowServiceStubsOptions options = TemporalConnection.stubs(WorkflowServiceStubsOptions.newBuilder())
                .setTarget(settings.temporalTarget())
                .build();
        return WorkflowServiceStubs.newConnectedServiceStubs(options, PATIENCE);
    }

    private static UnifiedJedis connectRedis(WorkerSettings settings) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        // It would start the platform's MBean server, and the flight recorder's, in every process.
        pool.setJmxEnabled(false);
        RedisClient redis = RedisClient.builder()
                .hostAndPort(JedisURIHelper.getHostAndPort(settings.redis()))
                .clientConfig(DefaultJedisClientConfig.builder(settings.redis()).build())
                .poolConfig(pool)
                .build();
        redis.ping();
        return redis;
    }

    private static <T> T get(String what, Future<T> connection) throws InterruptedException {
        try {
            return connection.get();
        } catch (ExecutionException failure) {
            throw new IllegalStateException(what + " did not answer", failure.getCause());
        }
    }

    void close() {
        stubs.shutdownNow();
        redis.close();
    }
}
