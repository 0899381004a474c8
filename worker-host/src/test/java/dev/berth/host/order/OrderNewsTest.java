package dev.berth.host.order;

import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.market;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.TestRedis;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
        temporal = TestWorkflowEnvironment.newInstance();
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
        return temporal.getWorkflowClient().fetchHistory("order:alice:o-1").getEvents().stream()
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
