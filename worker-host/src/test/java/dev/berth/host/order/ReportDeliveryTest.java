package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.gateway.FlakyGateway;
import dev.berth.host.gateway.GatewayConnection;
import dev.berth.temporal.OrderSamples;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import io.grpc.Status;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributes;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReportDeliveryTest {
    private static final ClientOrderId ID = new ClientOrderId("o-1");

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private final TestWorkflowEnvironment temporal = OrderSamples.temporal(true);
    private final FlakyGateway flaky = new FlakyGateway(Status.UNAVAILABLE);
    private TestGateway gateway;
    private GatewayConnection alice;
    private ExecutionReportPublisher delivery;

    @BeforeEach
    void start() throws Exception {
        temporal.getWorkflowClient()
                .newUntypedWorkflowStub(
                        OrderWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId("order:alice:o-1")
                                .setTaskQueue("orders")
                                .build())
                .start();
        gateway = new TestGateway(redis, temporal);
        alice = gateway.worker("task-1", ALICE, 7);
        delivery = delivery(flaky);
    }

    private ExecutionReportPublisher delivery(FlakyGateway before) {
        return new ExecutionReportPublisher(
                before.before(alice), new Attempts(), new CancelReports(), Duration.ofMillis(1), Duration.ofMillis(2));
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private long signals() {
        return temporal.getWorkflowClient().fetchHistory("order:alice:o-1").getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                .count();
    }

    @Tag("B4")
    @DisplayName("A report is delivered once when Temporal is back")
    @Test
    void retriesUntilDelivered() {
        flaky.failures.set(3);
        delivery.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> signals() == 1);
        assertThat(flaky.attempts).hasValue(4);
    }

    @Tag("X32")
    @DisplayName("A report beyond the gateway's rate is delivered later, and more than the gateway takes at once")
    @Test
    void deliversBeyondRate() {
        FlakyGateway busy = new FlakyGateway(Status.RESOURCE_EXHAUSTED);
        busy.failures.set(3);
        ExecutionReportPublisher throttled = delivery(busy);
        for (int number = 0; number < 100; number++) {
            throttled.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        }
        Awaitility.await().until(() -> signals() == 100);
        assertThat(busy.attempts).as("the gateway refused none").hasValue(103);
    }

    @Tag("B4")
    @DisplayName("A working order whose workflow ended as unfilled is reported; old reports are not")
    @Test
    void reportsOrderThatEndedUnfilled() {
        ended("o-2", OrderStatus.FILLED);
        ended("o-3", OrderStatus.CANCELED);
        delivery.deliver(new ClientOrderId("o-2"), FakeSession.report(OrderStatus.NEW));
        delivery.deliver(new ClientOrderId("o-3"), FakeSession.report(OrderStatus.CANCELED));
        delivery.deliver(new ClientOrderId("o-3"), FakeSession.report(OrderStatus.NEW));
        delivery.deliver(new ClientOrderId("by-hand"), FakeSession.report(OrderStatus.NEW));
        Awaitility.await().until(() -> runs(WorkflowIds.lateReport(ALICE, new ClientOrderId("o-3"))));
        Awaitility.await().until(() -> flaky.attempts.get() == 4);
        assertThat(runs(WorkflowIds.lateReport(ALICE, new ClientOrderId("o-2"))))
                .isFalse();
        assertThat(temporal.getWorkflowClient()
                        .fetchHistory(WorkflowIds.lateReport(ALICE, new ClientOrderId("o-3")))
                        .getEvents())
                .filteredOn(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                .hasSize(1);
    }

    private void ended(String id, OrderStatus status) {
        WorkflowStub order = temporal.getWorkflowClient()
                .newUntypedWorkflowStub(
                        OrderWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId("order:alice:" + id)
                                .setTaskQueue("orders")
                                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                                        .set(BerthSearchAttributes.ORDER_STATUS, status.name())
                                        .build())
                                .build());
        order.start();
        order.terminate("it is over");
    }

    private boolean runs(String id) {
        try {
            temporal.getWorkflowClient().newUntypedWorkflowStub(id).describe();
            return true;
        } catch (WorkflowNotFoundException none) {
            return false;
        }
    }

    @Test
    void givesUpAfterFortyAttempts() {
        flaky.failures.set(1_000);
        CompletionStage<Void> givenUp = delivery.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> flaky.attempts.get() == 40);
        flaky.failures.set(0);
        CompletionStage<Void> done = delivery.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> signals() == 1);
        assertThat(flaky.attempts).hasValue(41);
        assertThat(givenUp).failsWithin(Duration.ofSeconds(5));
        assertThat(done).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    void doesNotRepeatRefusedReport() {
        FlakyGateway refusing = new FlakyGateway(Status.PERMISSION_DENIED);
        refusing.failures.set(1);
        ExecutionReportPublisher refused = delivery(refusing);
        refused.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> refusing.attempts.get() == 1);
        refused.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> signals() == 1);
        assertThat(refusing.attempts).hasValue(2);
    }
}
