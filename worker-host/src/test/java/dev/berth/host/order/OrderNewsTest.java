package dev.berth.host.order;

import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.market;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.TestRedis;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.order.VenueReport;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.JedisPubSub;

class OrderNewsTest {
    private static final ClientOrderId ID = new ClientOrderId("o-1");

    private final Attempts attempts = new Attempts();
    private TestRedis redis;
    private TestWorkflowEnvironment temporal;
    private OrderNews news;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
        temporal = TestWorkflowEnvironment.newInstance(TestEnvironmentOptions.newBuilder()
                .registerSearchAttribute(
                        BerthSearchAttributes.USER_ID.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .build());
        news = new OrderNews(ALICE, temporal.getWorkflowClient(), redis.client(), attempts);
        temporal.getWorkflowClient()
                .newUntypedWorkflowStub(
                        OrderWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId("order:alice:o-1")
                                .setTaskQueue("orders")
                                .build())
                .start();
    }

    @AfterEach
    void stop() {
        temporal.close();
        redis.close();
    }

    private long reports() {
        return reports("order:alice:o-1");
    }

    /** How often that workflow was told; none before there is one. */
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
    void theOrdersWorkflowIsTold() {
        news.hear(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> reports() == 1);
    }

    @Test
    void newsOfAnOrderThatIsOverAreDropped() {
        news.hear(new ClientOrderId("over"), FakeSession.report(OrderStatus.FILLED));
        news.hear(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> reports() == 1);
        assertThat(reports("late:alice:over")).isZero();
    }

    @DisplayName("B4 an execution of an order that is over is booked by a workflow of its own")
    @Test
    void lateExecutions() {
        ClientOrderId over = new ClientOrderId("over");
        VenueReport late = FakeSession.report(OrderStatus.FILLED).with(List.of(FakeSession.execution("e-1", "4")));
        news.hear(over, late);
        Awaitility.await().until(() -> reports("late:alice:over") == 1);
        news.hear(over, late);
        Awaitility.await().until(() -> reports("late:alice:over") == 2);
        assertThat(temporal.getWorkflowClient()
                        .newUntypedWorkflowStub("late:alice:over")
                        .describe()
                        .getTypedSearchAttributes()
                        .get(BerthSearchAttributes.USER_ID))
                .isEqualTo("alice");
    }

    @Test
    void newsOfAnOrderInHandWaitForItsAnswer() {
        var attempt = attempts.begin(ID, 1).orElseThrow();
        news.hear(ID, FakeSession.report(OrderStatus.NEW));
        assertThat(attempts.end(ID, attempt)).isPresent();
        news.hear(ID, FakeSession.report(OrderStatus.FILLED));
        Awaitility.await().until(() -> reports() > 0);
        assertThat(reports()).isEqualTo(1);
    }

    @Test
    void whoeverListensOnRedisIsTold() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        JedisPubSub listener = new JedisPubSub() {
            @Override
            public void onMessage(String channel, String message) {
                heard.add(message);
            }
        };
        Thread listening = Thread.ofVirtual().start(() -> redis.client().subscribe(listener, "order-events:alice"));
        Awaitility.await().until(listener::isSubscribed);
        OrderState order = OrderState.accepted(market("o-1"));
        news.publish(order);
        assertThat(Json.read(String.valueOf(heard.poll(5, TimeUnit.SECONDS)), OrderState.class))
                .isEqualTo(order);
        listener.unsubscribe();
        listening.join();
    }
}
