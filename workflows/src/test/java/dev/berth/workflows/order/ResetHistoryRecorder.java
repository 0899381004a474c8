package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Makes the order that a person reset after its deadline, which is replayed by every later build.
 * The in-memory server knows no reset: {@code -Dberth.record-histories-at} is the address of a real
 * one that has Berth's search attributes.
 */
@EnabledIfSystemProperty(named = "berth.record-histories-at", matches = ".+")
class ResetHistoryRecorder {
    @Test
    void record() throws Exception {
        WorkflowServiceStubs service = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setTarget(System.getProperty("berth.record-histories-at"))
                .build());
        WorkflowClient client = WorkflowClient.newInstance(service);
        WorkerFactory workers = WorkerFactory.newInstance(
                client,
                WorkerFactoryOptions.newBuilder().setWorkflowCacheSize(0).build());
        FakeVenueOrders orders = new FakeVenueOrders();
        FakeVenueControl venue = new FakeVenueControl(Instant::now);
        orders.answers.next(FakeVenueOrders.answered(OrderStatus.NEW, "0"));
        Worker workflows = workers.newWorker(TaskQueues.ORDERS);
        workflows.registerWorkflowImplementationTypes(OrderWorkflowImpl.class);
        workflows.registerActivitiesImplementations(new FakeOrderRecords(), new FakeWorkerRequests(Instant::now));
        workers.newWorker(TaskQueues.ordersOf(Samples.ALICE)).registerActivitiesImplementations(orders);
        workers.newWorker(TaskQueues.controlOf(Samples.ALICE)).registerActivitiesImplementations(venue);
        workers.start();
        try {
            OrderRequest request = Samples.marketSubmittedAt(Instant.now(), Duration.ofSeconds(2));
            String id = OrderFixture.id(request);
            OrderWorkflow order = client.newWorkflowStub(
                    OrderWorkflow.class,
                    WorkflowOptions.newBuilder()
                            .setWorkflowId(id)
                            .setTaskQueue(TaskQueues.ORDERS)
                            .build());
            venue.found.usual(() -> FakeVenueControl.found(OrderStatus.NEW, "0"));
            WorkflowExecution first = WorkflowClient.start(order::run, OrderState.accepted(request));
            await().until(() -> Instant.now().isAfter(request.deadline()) && !venue.questions.isEmpty());
            venue.found.usual(() -> FakeVenueControl.found(OrderStatus.FILLED, "10"));
            service.blockingStub()
                    .resetWorkflowExecution(ResetWorkflowExecutionRequest.newBuilder()
                            .setNamespace("default")
                            .setWorkflowExecution(first)
                            .setReason("test")
                            .setRequestId(UUID.randomUUID().toString())
                            // The first workflow task, as the history of every order begins.
                            .setWorkflowTaskFinishEventId(4)
                            .build());
            WorkflowStub reset = client.newUntypedWorkflowStub(id);
            assertThat(reset.getResult(OrderState.class).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(orders.calls).hasSize(1);
            Files.writeString(
                    Path.of("src/test/resources/histories/order-reset.json"),
                    client.fetchHistory(id).toJson(true) + "\n");
        } finally {
            workers.shutdownNow();
            service.shutdownNow();
        }
    }
}
