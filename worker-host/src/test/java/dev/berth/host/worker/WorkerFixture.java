package dev.berth.host.worker;

import static dev.berth.temporal.OrderSamples.ALICE;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.activities.broker.PaperAccount;
import dev.berth.host.HostConnections;
import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.host.TestVenue;
import dev.berth.host.WorkerLimits;
import dev.berth.host.broker.AlpacaConnector;
import dev.berth.host.broker.AlpacaEndpoints;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.codec.TestPayloadKeys;
import dev.berth.workflows.Json;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.order.SubmitOrder;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionSignaledEventAttributes;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Alice's worker with epoch 7, its servers, and a workflow that calls its activities. */
final class WorkerFixture implements AutoCloseable {
    static final long EPOCH = 7;

    final TestVenue venue;
    final UserWorker worker;
    private final HostTestRedis redis = new HostTestRedis();
    private final TestWorkflowEnvironment temporal;
    private final TestGateway gateway;
    private final HostConnections host;

    WorkerFixture(Path folder, int orderSlots) throws IOException, InterruptedException {
        this(folder, orderSlots, WorkerLimits.DEFAULT);
    }

    WorkerFixture(Path folder, int orderSlots, WorkerLimits limits) throws IOException, InterruptedException {
        venue = TestVenue.start(folder.resolve("venue"));
        redis.load();
        redis.commands().set("worker:epoch:alice", Long.toString(EPOCH));
        temporal = OrderSamples.temporal(false, TestPayloadKeys.CONVERTER);
        temporal.newWorker(Ask.QUEUE).registerWorkflowImplementationTypes(Ask.Impl.class);
        temporal.start();
        gateway = new TestGateway(redis, temporal);
        host = TestHost.of(gateway.worker("task-1", ALICE, EPOCH), venue.uri(), "task-1", orderSlots, limits);
        worker = new UserWorker(
                host,
                ALICE,
                EPOCH,
                new AlpacaConnector(
                        () -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), EPOCH, OrderPolicies.OTHER_CALL));
    }

    RedisCommands<String, String> redis() {
        return redis.commands();
    }

    String publicKey() {
        return host.keys().publicKey();
    }

    SealedCredentials sealed() {
        return PaperAccount.seal(ALICE, publicKey());
    }

    /** The names of the signals that the workflow received. */
    List<String> signals(String workflowId) {
        return received(workflowId)
                .map(WorkflowExecutionSignaledEventAttributes::getSignalName)
                .toList();
    }

    /** The first signal of this name. */
    <T> T first(String workflowId, String signal, Class<T> type) {
        return received(workflowId)
                .filter(received -> received.getSignalName().equals(signal))
                .map(received ->
                        TestPayloadKeys.CONVERTER.fromPayloads(0, Optional.of(received.getInput()), type, type))
                .findFirst()
                .orElseThrow();
    }

    private Stream<WorkflowExecutionSignaledEventAttributes> received(String workflowId) {
        return temporal.getWorkflowClient().fetchHistory(workflowId).getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                .map(HistoryEvent::getWorkflowExecutionSignaledEventAttributes);
    }

    /** Alice's lifecycle, without a worker for its workflow tasks. */
    void startLifecycle() {
        temporal.getWorkflowClient()
                .newUntypedWorkflowStub(
                        WorkerLifecycleWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId(WorkflowIds.worker(ALICE))
                                .setTaskQueue(TaskQueues.FLEET)
                                .build())
                .start(WorkerState.none(ALICE));
    }

    /** The workflow of one of her orders, without a worker for its workflow tasks. */
    void startOrder(OrderRequest order) {
        temporal.getWorkflowClient()
                .newUntypedWorkflowStub(
                        OrderWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId(WorkflowIds.order(ALICE, order.clientOrderId()))
                                .setTaskQueue(TaskQueues.ORDERS)
                                .build())
                .start();
    }

    CompletableFuture<JsonNode> ask(String activity, Object... arguments) {
        return ask(TaskQueues.controlOf(ALICE), activity, arguments);
    }

    CompletableFuture<SubmitOutcome> submit(OrderRequest order) {
        return ask(TaskQueues.ordersOf(ALICE), "submitOrder", new SubmitOrder(order, 1, "first-run"))
                .thenApply(json -> Json.read(json.toString(), SubmitOutcome.class));
    }

    private CompletableFuture<JsonNode> ask(String queue, String activity, Object... arguments) {
        List<JsonNode> json = Stream.of(arguments)
                .map(argument -> Json.read(Json.write(argument), JsonNode.class))
                .toList();
        Ask ask = temporal.getWorkflowClient()
                .newWorkflowStub(
                        Ask.class,
                        WorkflowOptions.newBuilder().setTaskQueue(Ask.QUEUE).build());
        return WorkflowClient.execute(ask::ask, queue, activity, json);
    }

    @Override
    public void close() {
        worker.close();
        gateway.close();
        redis.close();
        venue.close();
    }
}
