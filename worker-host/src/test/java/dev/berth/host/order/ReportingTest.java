package dev.berth.host.order;

import static dev.berth.host.Samples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReportingTest {
    private static final ClientOrderId ID = new ClientOrderId("o-1");

    private final TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance(options());
    /** How many signals Temporal is still away for. */
    private final AtomicInteger away = new AtomicInteger();

    private final AtomicInteger tries = new AtomicInteger();
    private Reporting reporting;

    private static TestEnvironmentOptions options() {
        TestEnvironmentOptions.Builder options = TestEnvironmentOptions.newBuilder();
        BerthSearchAttributes.ALL.forEach(key -> options.registerSearchAttribute(key.getName(), key.getValueType()));
        return options.build();
    }

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
        reporting = new Reporting(ALICE, flaky(), Duration.ofMillis(1));
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
                                        tries.incrementAndGet();
                                        if (away.getAndDecrement() > 0) {
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

    @DisplayName("B4 news wait while Temporal is away, and are told once")
    @Test
    void triesAgain() {
        away.set(3);
        reporting.report(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> signals() == 1);
        assertThat(tries).hasValue(4);
    }

    @DisplayName(
            "B4 an order that works at the venue, and was taken for lost when it ended, is told of; old news are not")
    @Test
    void endedWithoutIt() {
        ended("o-2", OrderStatus.FILLED);
        ended("o-3", OrderStatus.CANCELED);
        reporting.report(new ClientOrderId("o-2"), FakeSession.report(OrderStatus.NEW));
        reporting.report(new ClientOrderId("o-3"), FakeSession.report(OrderStatus.CANCELED));
        reporting.report(new ClientOrderId("o-3"), FakeSession.report(OrderStatus.NEW));
        reporting.report(new ClientOrderId("by-hand"), FakeSession.report(OrderStatus.NEW));
        Awaitility.await().until(() -> runs(WorkflowIds.lateReport(ALICE, new ClientOrderId("o-3"))));
        Awaitility.await().until(() -> tries.get() == 4);
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
    void givesUpAfterAFewTries() {
        away.set(1_000);
        reporting.report(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> tries.get() == 6);
        away.set(0);
        reporting.report(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> signals() == 1);
        assertThat(tries).hasValue(7);
    }
}
