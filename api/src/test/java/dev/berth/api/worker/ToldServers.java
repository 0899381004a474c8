package dev.berth.api.worker;

import dev.berth.local.LocalRedis;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real Redis, and a Temporal whose workflows only collect what they are told. */
final class ToldServers implements AutoCloseable {
    private final Path folder;
    private final TestWorkflowEnvironment temporal;
    private final ClientResources resources = ClientResources.builder()
            .reconnectDelay(Delay.constant(Duration.ofMillis(50)))
            .build();
    private final int port;
    private LocalRedis redis;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private ToldServers(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        TestEnvironmentOptions.Builder options =
                TestEnvironmentOptions.newBuilder().setUseTimeskipping(false);
        BerthSearchAttributes.ALL.forEach(key -> options.registerSearchAttribute(key.getName(), key.getValueType()));
        temporal = TestWorkflowEnvironment.newInstance(options.build());
        redis = LocalRedis.start(0, folder);
        port = redis.port();
        client = RedisClient.create(resources, redis.uri().toString());
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(1)))
                .build());
        connection = client.connect();
    }

    static ToldServers start(Path folder) throws IOException, InterruptedException {
        return new ToldServers(folder);
    }

    StatefulRedisConnection<String, String> redis() {
        return connection;
    }

    RedisClient redisClient() {
        return client;
    }

    String redisUri() {
        return "redis://127.0.0.1:" + port;
    }

    void redisGoes() {
        redis.close();
    }

    void redisComes() throws IOException, InterruptedException {
        redis = LocalRedis.start(port, folder);
    }

    Lifecycles lifecycles() {
        return new Lifecycles(temporal.getWorkflowClient());
    }

    void startLifecycle(UserId userId) {
        start(WorkflowIds.worker(userId), WorkerLifecycleWorkflow.TYPE, WorkerState.none(userId));
    }

    void startPool() {
        start(WorkflowIds.POOL, PoolWorkflow.TYPE, 2);
    }

    private void start(String id, String type, Object input) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(id)
                .setTaskQueue(TaskQueues.FLEET)
                .build();
        temporal.getWorkflowClient().newUntypedWorkflowStub(type, options).start(input);
    }

    /** What the workflow was told, in turn: each signal with its arguments. */
    List<String> told(String workflowId) {
        return temporal.getWorkflowClient().fetchHistory(workflowId).getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                .map(event -> event.getWorkflowExecutionSignaledEventAttributes())
                .map(signal -> Stream.concat(
                                Stream.of(signal.getSignalName()),
                                signal.getInput().getPayloadsList().stream()
                                        .map(argument -> argument.getData().toStringUtf8()))
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    @Override
    public void close() {
        client.shutdown();
        var _ = resources.shutdown();
        redis.close();
        temporal.close();
    }
}
