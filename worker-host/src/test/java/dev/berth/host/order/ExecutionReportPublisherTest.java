package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.temporal.OrderSamples;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestWorkflowEnvironment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExecutionReportPublisherTest {
    private static final ClientOrderId ID = new ClientOrderId("o-1");

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private final Attempts attempts = new Attempts();
    private final CancelReports cancels = new CancelReports();
    private TestWorkflowEnvironment temporal;
    private TestGateway gateway;
    private ExecutionReportPublisher publisher;

    @BeforeEach
    void start() throws Exception {
        temporal = OrderSamples.temporal(true);
        gateway = new TestGateway(redis, temporal);
        publisher =
                new ExecutionReportPublisher(gateway.worker("task-1", ALICE, 7).client(), attempts, cancels);
        startOrder("order:alice:o-1");
    }

    private WorkflowStub startOrder(String workflowId) {
        WorkflowStub order = temporal.getWorkflowClient()
                .newUntypedWorkflowStub(
                        OrderWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId(workflowId)
                                .setTaskQueue("orders")
                                .build());
        order.start();
        return order;
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private long reports() {
        return reports("order:alice:o-1");
    }

    /** How many reports the workflow received; 0 before it exists. */
    private long reports(String workflowId) {
        try {
            return signals(workflowId);
        } catch (StatusRuntimeException | WorkflowException notYet) {
            return 0;
        }
    }

    private long signals(String workflowId) {
        return temporal.getWorkflowClient().fetchHistory(workflowId).getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                .filter(event -> event.getWorkflowExecutionSignaledEventAttributes()
                        .getSignalName()
                        .equals("report"))
                .count();
    }

    @Test
    void signalsOrderWorkflow() {
        publisher.onReport(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> reports() == 1);
    }

    @Test
    void dropsReportsOfEndedOrder() {
        publisher.onReport(new ClientOrderId("over"), FakeSession.report(OrderStatus.FILLED));
        publisher.onReport(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> reports() == 1);
        assertThat(reports("late:alice:over")).isZero();
    }

    @Tag("B4")
    @DisplayName("A late execution starts the workflow for late reports")
    @Test
    void lateExecutionStartsWorkflow() {
        startOrder("order:alice:over").terminate("it has ended");
        ClientOrderId over = new ClientOrderId("over");
        ExecutionReport late =
                FakeSession.report(OrderStatus.FILLED).withExecutions(List.of(FakeSession.execution("e-1", "4")));
        publisher.onReport(over, late);
        Awaitility.await().until(() -> reports("late:alice:over") == 1);
        publisher.onReport(over, late);
        Awaitility.await().until(() -> reports("late:alice:over") == 2);
        assertThat(temporal.getWorkflowClient()
                        .newUntypedWorkflowStub("late:alice:over")
                        .describe()
                        .getTypedSearchAttributes()
                        .get(BerthSearchAttributes.USER_ID))
                .isEqualTo("alice");
    }

    @Test
    void reportsReturnWithResult() {
        var attempt = attempts.begin(ID, 1).orElseThrow();
        publisher.onReport(ID, FakeSession.report(OrderStatus.NEW));
        assertThat(attempts.end(ID, attempt)).isPresent();
        publisher.onReport(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> reports() > 0);
        assertThat(reports()).isEqualTo(1);
    }

    @Test
    void endsReturnWithTheirCancel() {
        VenueClientOrderId first = new VenueClientOrderId(ID, 0);
        ExecutionReport canceled = FakeSession.report(OrderStatus.CANCELED);
        cancels.begin(first);
        publisher.onReport(ID, canceled);
        assertThat(cancels.end(first, Optional.of(canceled))).isEmpty();
        publisher.onReport(ID, canceled);
        Awaitility.await().until(() -> reports() > 0);
        assertThat(reports()).isEqualTo(1);
    }

    @Test
    void publishesToRedis() throws Exception {
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        try (var subscriber = redis.client().connectPubSub()) {
            subscriber.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    messages.add(message);
                }
            });
            subscriber.sync().zadd("ws:streams:alice", Double.POSITIVE_INFINITY, "listener");
            subscriber.sync().subscribe("ws:events:listener");
            OrderState order = OrderState.accepted(market("o-1"));
            publisher.publish(order);
            assertThat(Json.read(String.valueOf(messages.poll(5, TimeUnit.SECONDS)), OrderState.class))
                    .isEqualTo(order);
        }
    }
}
