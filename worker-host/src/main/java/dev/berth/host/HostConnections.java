package dev.berth.host;

import dev.berth.host.gateway.GatewayConnection;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.broker.WorkerKeyPair;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.workflows.worker.WorkerProcess;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** The connections of this process, its settings and its identity. */
public record HostConnections(
        WorkerSettings settings,
        TaskIdentity task,
        Supplier<HttpClient> http,
        GatewayConnection gateway,
        WorkflowServiceStubs stubs,
        WorkflowClient temporal,
        WorkerKeyPair keys) {
    /** The start time of this process, which may wait in the pool. */
    private static final Instant LAUNCHED_AT =
            ProcessHandle.current().info().startInstant().orElseGet(Instant::now);

    /**
     * With the enrolment less than the 90 s that a lifecycle waits for its process. When many
     * processes start at once, Temporal is slow; if all of them gave up, the launch circuit breaker
     * would open.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(50);

    /**
     * Enrols at the gateway and connects, with the rest of the start beside it. Fails within
     * 90 s; then the lifecycle starts another task.
     */
    static HostConnections open(WorkerSettings settings) throws InterruptedException {
        // Virtual threads would load pollers, which no class archive holds.
        try (ExecutorService parallel =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            Future<TaskIdentity> metadata = parallel.submit(() -> TaskIdentity.read(settings.metadata()));
            Future<WorkerKeyPair> keys = parallel.submit(WorkerKeyPair::new);
            GatewayConnection gateway = new GatewayConnection(settings.gateway());
            Future<WorkflowServiceStubs> stubs = parallel.submit(() -> stubs(gateway.channel()));
            TaskIdentity task = get("the task metadata endpoint", metadata);
            WorkerKeyPair pair = get("the key pair", keys);
            enrol(gateway, settings.gateway().target(), task.taskArn(), pair.publicKey());
            WorkflowServiceStubs temporal = get("the client of Temporal", stubs);
            temporal.connect(TIMEOUT);
            // In the background: reading the trusted certificates takes 0.1 s, and only a session
            // needs them, later.
            Supplier<HttpClient> http = CompletableFuture.supplyAsync(HostConnections::httpClient)::join;
            // Plain: the gateway encrypts and decrypts.
            WorkflowClientOptions options = TemporalClients.workflows(
                            settings.temporalNamespace(), TemporalClients.DATA_CONVERTER)
                    .setIdentity(task.taskId() + "@" + task.host() + ":" + task.pid())
                    .build();
            return new HostConnections(
                    settings, task, http, gateway, temporal, WorkflowClient.newInstance(temporal, options), pair);
        }
    }

    /** A renewal of the heartbeat key with the metadata of this process. */
    public HeartbeatRequest heartbeat(ReportedActivity activity) {
        return new HeartbeatRequest(activity, task.host(), task.pid(), settings.version(), LAUNCHED_AT.toString());
    }

    private static HttpClient httpClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    /** The gateway's connection ends with its certificate, and not every minute. */
    static WorkflowServiceStubs stubs(ManagedChannel gateway) {
        return WorkflowServiceStubs.newServiceStubs(
                TemporalClients.stubs(WorkflowServiceStubsOptions.newBuilder().setGrpcReconnectFrequency(null))
                        .setChannel(gateway)
                        .build());
    }

    private static void enrol(GatewayConnection gateway, String target, String taskArn, String sealingKey)
            throws InterruptedException {
        try {
            gateway.enrol(taskArn, sealingKey);
        } catch (StatusRuntimeException failure) {
            throw new IllegalStateException("the gateway at " + target + " did not enrol " + taskArn, failure);
        }
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
        gateway.close();
    }
}
