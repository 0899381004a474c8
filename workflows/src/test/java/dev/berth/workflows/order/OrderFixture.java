package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import io.temporal.activity.DynamicActivity;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The order workflow, and fakes of everything around it. */
final class OrderFixture implements AutoCloseable {
    static final Replacement TO_TWELVE = new Replacement(Decimal.of("12"), null, null);

    final InMemoryServer server;
    final FakeVenueOrders orders = new FakeVenueOrders();
    final FakeVenueControl venue;
    final FakeOrderRecords records = new FakeOrderRecords();
    final FakeWorkerRequests requests;

    private OrderFixture(InMemoryServer server, boolean worker) {
        this(server);
        server.worker(TaskQueues.controlOf(Samples.ALICE)).registerActivitiesImplementations(venue);
        if (worker) {
            server.worker(TaskQueues.ordersOf(Samples.ALICE)).registerActivitiesImplementations(orders);
        }
        server.start();
    }

    private OrderFixture(InMemoryServer server) {
        this.server = server;
        this.venue = new FakeVenueControl(server::now);
        this.requests = new FakeWorkerRequests(server::now);
        var workflows = server.worker(TaskQueues.ORDERS);
        workflows.registerWorkflowImplementationTypes(OrderWorkflowImpl.class);
        workflows.registerActivitiesImplementations(records, requests);
    }

    /** This answers every activity of the user's worker. */
    static OrderFixture withWorker(DynamicActivity worker) {
        OrderFixture fixture = new OrderFixture(new InMemoryServer());
        for (String queue : List.of(TaskQueues.controlOf(Samples.ALICE), TaskQueues.ordersOf(Samples.ALICE))) {
            fixture.server.worker(queue).registerActivitiesImplementations(worker);
        }
        fixture.server.start();
        return fixture;
    }

    static OrderFixture withWorker() {
        return new OrderFixture(new InMemoryServer(), true);
    }

    /** No worker polls the user's orders queue. */
    static OrderFixture withoutWorker() {
        return new OrderFixture(new InMemoryServer(), false);
    }

    OrderWorkflow prepare(OrderRequest request) {
        return server.workflow(OrderWorkflow.class, id(request), TaskQueues.ORDERS);
    }

    OrderWorkflow begin(OrderRequest request) {
        OrderWorkflow order = prepare(request);
        begin(order, request);
        return order;
    }

    void begin(OrderWorkflow order, OrderRequest request) {
        WorkflowClient.start(order::run, OrderState.accepted(request));
        awaitEvents(request, EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, 1);
    }

    /** An order that the venue has taken and not yet filled. */
    OrderWorkflow working(OrderRequest request) {
        orders.answers.next(FakeVenueOrders.answered(OrderStatus.NEW, "0"));
        OrderWorkflow order = begin(request);
        awaitStatus(order, OrderStatus.NEW);
        return order;
    }

    /** The same; the checks of the venue find it as it is, also on a slow machine. */
    OrderWorkflow resting(OrderRequest request) {
        venue.found.usual(() -> FakeVenueControl.found(OrderStatus.NEW, "0"));
        return working(request);
    }

    /** Runs the order to its end. */
    OrderState run(OrderRequest request) {
        OrderWorkflow order = prepare(request);
        WorkflowClient.start(order::run, OrderState.accepted(request));
        return end(order);
    }

    OrderState end(OrderWorkflow order) {
        return server.result(order, OrderState.class);
    }

    /** Cancels are on their way from another thread; now the workflow has heard them. */
    void awaitUpdates(OrderRequest request, int count) {
        awaitEvents(request, EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED, count);
    }

    int pendingActivities(OrderRequest request) {
        return describe(request).getRawDescription().getPendingActivitiesCount();
    }

    void awaitEvents(OrderRequest request, EventType type, int count) {
        await().until(() -> server.history(id(request)).stream()
                        .filter(event -> event.getEventType() == type)
                        .count()
                >= count);
    }

    void awaitStatus(OrderWorkflow order, OrderStatus status) {
        await().until(() -> order.state().status() == status);
    }

    void awaitFilled(OrderWorkflow order, String quantity) {
        await().until(() -> order.state().filledQuantity().toString().equals(quantity));
    }

    void assertSeveralSmallRuns(OrderRequest request) {
        assertThat(server.history(id(request)))
                .as("the last of several runs")
                .hasSizeLessThan(5_000)
                .first()
                .satisfies(begun -> assertThat(begun.getWorkflowExecutionStartedEventAttributes()
                                .getContinuedExecutionRunId())
                        .isNotEmpty());
    }

    /** The ids of the first run and of all runs after it. */
    List<String> runIds(OrderRequest request, String first) {
        List<String> runs = new ArrayList<>();
        for (String run = first; !run.isEmpty(); ) {
            runs.add(run);
            run = server.history(id(request), run)
                    .getLast()
                    .getWorkflowExecutionContinuedAsNewEventAttributes()
                    .getNewExecutionRunId();
        }
        return runs;
    }

    /** The id of the current run. */
    String runId(OrderRequest request) {
        return describe(request).getExecution().getRunId();
    }

    private WorkflowExecutionDescription describe(OrderRequest request) {
        return server.client().newUntypedWorkflowStub(id(request)).describe();
    }

    /**
     * Beside the test; not in the common pool, which has one thread on a small machine, and the
     * server needs it.
     */
    static CompletableFuture<OrderState> cancel(OrderWorkflow order) {
        return CompletableFuture.supplyAsync(order::cancel, Thread::startVirtualThread);
    }

    /** As {@link #cancel}. */
    static CompletableFuture<OrderState> replace(OrderWorkflow order, Replacement change) {
        return CompletableFuture.supplyAsync(() -> order.replace(change), Thread::startVirtualThread);
    }

    static String id(OrderRequest request) {
        return WorkflowIds.order(request.userId(), request.clientOrderId());
    }

    @Override
    public void close() {
        server.close();
    }
}
