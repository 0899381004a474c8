package dev.berth.host;

import dev.berth.host.broker.WorkerKeyPair;
import dev.berth.temporal.TemporalClients;
import dev.berth.workflows.worker.WorkerProcess;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
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

/** The connections of this process, its settings and its identity. */
public record HostConnections(
        WorkerSettings settings,
        TaskIdentity task,
        Supplier<HttpClient> http,
        UnifiedJedis redis,
        WorkflowServiceStubs stubs,
        WorkflowClient temporal,
        WorkerKeyPair keys,
        HeldPayloadKeys payloadKeys) {
    /**
     * Less than the 90 s that a lifecycle waits for its process. When many processes start at once,
     * Temporal is slow; if all of them gave up, the launch circuit breaker would open.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * Connects in parallel. Fails within a minute with the name of the server that did not answer;
     * then the lifecycle starts another task.
     */
    static HostConnections open(WorkerSettings settings) throws InterruptedException {
        // Virtual threads would load pollers, which no class archive holds.
        try (ExecutorService parallel =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            Future<WorkflowServiceStubs> stubs = parallel.submit(() -> connectTemporal(settings));
            Future<UnifiedJedis> redis = parallel.submit(() -> connectRedis(settings));
            Future<WorkerKeyPair> keys = parallel.submit((Callable<WorkerKeyPair>) WorkerKeyPair::new);
            TaskIdentity task =
                    get("the task metadata endpoint", parallel.submit(() -> TaskIdentity.read(settings.metadata())));
            WorkflowServiceStubs temporal = get("Temporal at " + settings.temporalTarget(), stubs);
            UnifiedJedis keyStore = get("Redis at " + settings.redis(), redis);
            WorkerKeyPair pair = get("the key pair", keys);
            // In the background: reading the trusted certificates takes 0.1 s, and only a session
            // needs them, later.
            Supplier<HttpClient> http = CompletableFuture.supplyAsync(HostConnections::httpClient)::join;
            HeldPayloadKeys payloadKeys = new HeldPayloadKeys();
            WorkflowClientOptions options = TemporalClients.workflows(
                            settings.temporalNamespace(), TemporalClients.encrypting(payloadKeys))
                    .setIdentity(task.taskId() + "@" + task.host() + ":" + task.pid())
                    .build();
            return new HostConnections(
                    settings,
                    task,
                    http,
                    keyStore,
                    temporal,
                    WorkflowClient.newInstance(temporal, options),
                    pair,
                    payloadKeys);
        }
    }

    private static HttpClient httpClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    private static WorkflowServiceStubs connectTemporal(WorkerSettings settings) {
        return WorkflowServiceStubs.newConnectedServiceStubs(
                TemporalClients.stubs(settings.temporalTarget()).build(), TIMEOUT);
    }

    private static UnifiedJedis connectRedis(WorkerSettings settings) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        // JMX would start the platform's MBean server and the flight recorder's in every process.
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

    /** This process as the worker with that epoch. */
    public WorkerProcess worker(long epoch) {
        return new WorkerProcess(epoch, task.taskArn(), task.host(), task.pid(), keys.publicKey());
    }

    void close() {
        stubs.shutdownNow();
        redis.close();
    }
}
