package dev.berth.orchestrator.worker;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.api.StatefulRedisConnection;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real Redis, and a Temporal whose workflows only collect what they are told. */
final class RecordingServers implements AutoCloseable {
    private final TestWorkflowEnvironment temporal = OrderSamples.temporal(false);
    private final TestRedis redis = new TestRedis();

    StatefulRedisConnection<String, String> redis() {
        return redis.connection();
    }

    void redisGoes() {
        redis.stop();
    }

    void redisComes() throws IOException, InterruptedException {
        redis.restart();
    }

    LifecycleWorkflowClient lifecycles() {
        return new LifecycleWorkflowClient(temporal.getWorkflowClient());
    }

    void startLifecycle(UserId userId) {
        start(WorkflowIds.worker(userId), WorkerLifecycleWorkflow.TYPE, WorkerState.none(userId));
    }

    void startPool() {
        start(WorkflowIds.POOL, PoolWorkflow.TYPE, 2);
    }

    void startPool(UserGroup group) {
        start(PoolNames.workflowId(group), PoolWorkflow.TYPE, 2);
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
        redis.close();
        temporal.close();
    }
}
