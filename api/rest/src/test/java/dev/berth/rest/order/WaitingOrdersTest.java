package dev.berth.rest.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WaitingOrdersTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final ActiveOrders active = new ActiveOrders(redis.commands());
    private final OrderReadModel readModel = new OrderReadModel(postgres.client());
    private final PostgresOrderRecords records =
            new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());
    private final WaitingOrders waiting = new WaitingOrders(postgres.client(), active);

    private static OrderState accepted(String id) {
        return OrderState.accepted(order(ALICE, id, Instant.now().truncatedTo(ChronoUnit.MILLIS)));
    }

    private void count(OrderState order) {
        active.add(
                new ActiveOrders.ActiveOrder(
                        order.request().userId(), order.request().clientOrderId()),
                Instant.now());
    }

    private Optional<OrderState> listed(OrderState order) {
        return readModel.find(order.request().userId(), order.request().clientOrderId());
    }

    @Test
    @Tag("E3")
    @DisplayName(
            "An order that waits is listed within seconds; one that has its answer by then is left to its workflow")
    void orderThatWaitsIsListed() {
        OrderState answered = accepted("answered");
        OrderState waits = accepted("waits");
        count(waits);
        waiting.listLater(answered);
        waiting.listLater(waits);
        await().until(() -> listed(waits).isPresent());
        assertThat(listed(waits)).contains(waits);
        assertThat(listed(answered)).isEmpty();
    }

    @Test
    @Tag("E3")
    @DisplayName("What the workflow has written stays, and what it writes later counts")
    void workflowCounts() {
        OrderState early = accepted("early");
        OrderState late = accepted("late");
        count(early);
        count(late);
        write(early.attempted(early.changedAt()));
        waiting.listLater(early);
        waiting.listLater(late);
        await().until(() -> listed(late).isPresent());
        write(late.became(OrderStatus.UNKNOWN, null, late.changedAt()));
        assertThat(listed(early)).contains(early.attempted(early.changedAt()));
        assertThat(listed(late)).map(OrderState::status).contains(OrderStatus.UNKNOWN);
    }

    private void write(OrderState order) {
        records.record(
                order.request().userId(),
                order.request().clientOrderId(),
                List.of(order),
                List.of(),
                new HistoryPosition("run-1", 3));
    }
}
