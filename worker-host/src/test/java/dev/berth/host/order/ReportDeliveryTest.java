package dev.berth.host.order;

import static dev.berth.activities.ActivitySamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.ActivitySamples;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributes;
import io.temporal.common.interceptors.WorkflowClientCallsInterceptor;
import io.temporal.common.interceptors.WorkflowClientCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowClientInterceptorBase;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReportDeliveryTest {
    private static final ClientOrderId ID = new ClientOrderId("o-1");

    private final TestWorkflowEnvironment temporal = ActivitySamples.temporal(true);
    /** How many signals still fail. */
    private final AtomicInteger failures = new AtomicInteger();

    private final AtomicInteger attempts = new AtomicInteger();
    private ReportDelivery delivery;

    @BeforeEach
    void start() {
        temporal.getWorkflowClient()
                .newUntypedWorkflowStub(
                        OrderWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId("order:alice:o-1")
                                .setTaskQueue("orders")
                                .build())
                .start();
        delivery = new ReportDelivery(ALICE, flaky(), Duration.ofMillis(1));
    }

    @AfterEach
    void stop() {
        temporal.close();
    }

    private WorkflowClient flaky() {
        return WorkflowClient.newInstance(
                temporal.getWorkflowServiceStubs(),
                WorkflowClientOptions.newBuilder(temporal.getWorkflowClient().getOptions())
                        .setInterceptors(new WorkflowClientInterceptorBase() {
                            @Override
                            public WorkflowClientCallsInterceptor workflowClientCallsInterceptor(
                                    WorkflowClientCallsInterceptor next) {
                                return new WorkflowClientCallsInterceptorBase(next) {
                                    @Override
                                    public WorkflowSignalOutput signal(WorkflowSignalInput input) {
                                        attempts.incrementAndGet();
                                        if (failures.getAndDecrement() > 0) {
                                            throw new StatusRuntimeException(Status.UNAVAILABLE);
                                        }
                                        return super.signal(input);
                                    }
                                };
                            }
                        })
                        .build());
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
        failures.set(3);
        delivery.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> signals() == 1);
        assertThat(attempts).hasValue(4);
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
        Awaitility.await().until(() -> attempts.get() == 4);
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
    void givesUpAfterSixAttempts() {
        failures.set(1_000);
        delivery.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> attempts.get() == 6);
        failures.set(0);
        delivery.deliver(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> signals() == 1);
        assertThat(attempts).hasValue(7);
    }
}
