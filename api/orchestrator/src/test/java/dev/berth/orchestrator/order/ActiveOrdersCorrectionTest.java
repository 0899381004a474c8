package dev.berth.orchestrator.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.ActiveOrders.ActiveOrder;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.RedisWorkerHeartbeats;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.OrderIndex;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ActiveOrdersCorrectionTest {
    private final Instant now = Instant.now();

    private final TestWorkflowEnvironment temporal = OrderSamples.temporal(false);
    private final TestRedis redis = new TestRedis();
    private final OrderWorkflowClient orders = new OrderWorkflowClient(temporal.getWorkflowClient());
    private final ActiveOrdersCorrection correction = new ActiveOrdersCorrection(
            new ActiveOrders(redis.commands()),
            new OrderIndex(temporal.getWorkflowClient()),
            orders,
            new RedisWorkerHeartbeats(redis.commands(), new RedisOutages()),
            new SimpleMeterRegistry());

    @AfterEach
    void close() {
        redis.close();
        temporal.close();
    }

    private ActiveOrder started(UserId user, String id) {
        OrderRequest request = order(user, id, now);
        assertThat(orders.start(request, true)).isTrue();
        return new ActiveOrder(user, request.clientOrderId());
    }

    private List<String> told(ActiveOrder order) {
        return temporal
                .getWorkflowClient()
                .fetchHistory(WorkflowIds.order(order.userId(), order.clientOrderId()))
                .getEvents()
                .stream()
                .filter(HistoryEvent::hasWorkflowExecutionSignaledEventAttributes)
                .map(event ->
                        event.getWorkflowExecutionSignaledEventAttributes().getSignalName())
                .toList();
    }

    private Instant secondsAgo(int seconds) {
        return now.minus(Duration.ofSeconds(seconds));
    }

    @Test
    @Tag("E3")
    @Tag("E4")
    @DisplayName(
            "An order that waits is told once that its worker is missing: soon without a heartbeat, else when it hangs")
    void waitingOrderIsTold() {
        redis.commands().set(RedisKeys.heartbeat(ALICE), "task-1");
        ActiveOrder fresh = started(BOB, "fresh");
        ActiveOrder left = started(BOB, "left");
        ActiveOrder queued = started(ALICE, "queued");
        ActiveOrder stuck = started(ALICE, "stuck");
        Map<ActiveOrder, Instant> waiting =
                Map.of(fresh, secondsAgo(1), left, secondsAgo(6), queued, secondsAgo(6), stuck, secondsAgo(21));
        correction.tellOfMissingWorkers(waiting);
        correction.tellOfMissingWorkers(waiting);
        assertThat(told(left)).containsExactly("workerMissing");
        assertThat(told(stuck)).containsExactly("workerMissing");
        assertThat(told(fresh)).isEmpty();
        assertThat(told(queued)).isEmpty();
    }

    @Test
    @Tag("E3")
    @DisplayName("An order that is over by now is passed over, and the others are told")
    void orderIsOver() {
        ActiveOrder left = started(BOB, "left");
        ActiveOrder gone = new ActiveOrder(ALICE, order(ALICE, "gone", now).clientOrderId());
        correction.tellOfMissingWorkers(Map.of(gone, secondsAgo(6), left, secondsAgo(6)));
        assertThat(told(left)).containsExactly("workerMissing");
    }
}
