package dev.berth.activities.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.filled;
import static dev.berth.temporal.OrderSamples.order;
import static dev.berth.temporal.OrderSamples.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrderReadModelTest {
    private static final ClientOrderId O_1 = new ClientOrderId("o-1");

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final OrderReadModel model = new OrderReadModel(postgres.client());
    private static final PostgresOrderRecords records =
            new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());

    private static void record(PostgresOrderRecords records, OrderState... steps) {
        OrderRequest order = steps[0].request();
        records.record(order.userId(), order.clientOrderId(), List.of(steps), List.of(), HistoryPosition.OUTSIDE);
    }

    private static OrderState pending(String id, Instant submittedAt) {
        return OrderState.accepted(order(ALICE, id, submittedAt)).attempted(submittedAt);
    }

    @Tag("D11")
    @DisplayName("Every step of an order is kept, in order, and written once however often it is told")
    @Test
    void stepsAreWrittenOnce() {
        OrderState first = pending("o-1", NOON);
        OrderState second = first.reported(filled());
        record(records, first);
        record(records, first, second);
        record(records, first, second);
        assertThat(model.events(ALICE, O_1)).containsExactly(first, second);
        assertThat(model.find(ALICE, O_1)).contains(second);
    }

    @Tag("X6")
    @DisplayName("Everybody's open orders are listed, once they are old enough")
    @Test
    void openOrdersOfAllUsersAreListed() {
        Instant submitted = Instant.now().minusSeconds(60);
        OrderState open = pending("o-1", submitted).reported(report(0, OrderStatus.NEW, "0", submitted));
        record(records, open);
        record(records, pending("o-2", submitted).reported(filled()));
        record(records, pending("o-3", submitted.plusSeconds(50)));
        assertThat(model.open(Duration.ofSeconds(30))).containsExactly(new OrderId(ALICE, O_1));
        record(records, open, open.reported(filled()));
        assertThat(model.open(Duration.ofSeconds(30))).isEmpty();
    }

    @Test
    void aSubmissionFindsTheEarlierOrderOfItsOwnUserAlone() {
        OrderState first = pending("o-1", NOON);
        record(records, first);
        assertThat(model.beforeSubmission(order(ALICE, "o-1", NOON), true))
                .isEqualTo(new OrderReadModel.BeforeSubmission(Optional.of(first), 0, true));
        assertThat(model.beforeSubmission(order(ALICE, "o-2", NOON), true).earlier())
                .isEmpty();
        assertThat(model.beforeSubmission(order(BOB, "o-1", NOON), true).earlier())
                .isEmpty();
    }

    @Test
    void anOlderStateIsDropped() {
        OrderState first = pending("o-1", NOON);
        OrderState second = first.reported(filled());
        record(records, first, second);
        record(records, first);
        assertThat(model.find(ALICE, O_1)).contains(second);
        assertThat(ids(model.search(page(OrderStatus.FILLED, 10, null)))).containsExactly("o-1");
    }

    @Tag("X1")
    @DisplayName("A step that was written and then lost with its workflow task gives way to the one " + "taken instead")
    @Test
    void aStepThatWasNotTaken() {
        OrderState first = pending("o-1", NOON);
        OrderState canceled = first.became(OrderStatus.CANCELED, null, NOON);
        OrderState filled = first.reported(filled());
        assertThat(filled.revision()).isEqualTo(canceled.revision());
        record(records, first, canceled);
        record(records, filled);
        assertThat(model.find(ALICE, O_1)).contains(filled);
        assertThat(model.events(ALICE, O_1)).containsExactly(first, filled);
    }

    @Tag("X1")
    @DisplayName("What a process writes that stood still, while another took its workflow task, is " + "dropped")
    @Test
    void aStepThatComesTooLate() {
        OrderState first = pending("o-1", NOON);
        OrderState unknown = first.became(OrderStatus.UNKNOWN, null, NOON);
        OrderState sentAgain = unknown.became(OrderStatus.PENDING, null, NOON);
        OrderState failed = unknown.became(OrderStatus.FAILED, null, NOON.plusSeconds(120));
        records.record(ALICE, O_1, List.of(first, unknown), List.of(), new HistoryPosition("run-1", 10));
        records.record(ALICE, O_1, List.of(failed), List.of(), new HistoryPosition("run-1", 55));
        records.record(ALICE, O_1, List.of(sentAgain), List.of(), new HistoryPosition("run-1", 52));
        assertThat(model.find(ALICE, O_1)).contains(failed);
        assertThat(model.events(ALICE, O_1)).containsExactly(first, unknown, failed);
        // Another run does not know the positions of this one.
        OrderState requeued = failed.became(OrderStatus.UNKNOWN, null, NOON.plusSeconds(130));
        records.record(ALICE, O_1, List.of(requeued), List.of(), new HistoryPosition("run-2", 3));
        assertThat(model.find(ALICE, O_1)).contains(requeued);
    }

    @Test
    void anotherUsersOrdersAreInvisible() {
        record(records, pending("o-1", NOON));
        assertThat(model.find(BOB, O_1)).isEmpty();
        assertThat(model.events(BOB, O_1)).isEmpty();
        assertThat(model.search(new OrderQuery(BOB, Set.of(), null, null, null, 10, null)))
                .isEmpty();
    }

    @Test
    void theSameIdOfAnotherUserIsAnotherOrder() {
        OrderState bobs = OrderState.accepted(order(BOB, "o-1", NOON));
        record(records, pending("o-1", NOON).reported(filled()));
        record(records, bobs);
        assertThat(model.find(BOB, O_1)).contains(bobs);
    }

    @Test
    void pagesNeitherRepeatNorLoseAnOrderWhileOthersAreAdded() {
        for (int i = 0; i < 5; i++) {
            // Two by two at the same moment: the id tells them apart.
            record(records, pending("o-" + i, NOON.plusSeconds(i / 2)));
        }
        List<String> seen = new ArrayList<>();
        Position after = null;
        for (int page = 0; page < 3; page++) {
            List<OrderState> orders = model.search(page(null, 2, after));
            seen.addAll(ids(orders));
            after = Position.of(orders.getLast());
            record(records, pending("new-" + page, NOON.plusSeconds(100 + page)));
        }
        assertThat(seen).containsExactly("o-4", "o-3", "o-2", "o-1", "o-0");
        assertThat(model.search(page(null, 2, after))).isEmpty();
    }

    @Test
    void listsByStatusAndSymbol() {
        record(records, pending("open", NOON));
        record(records, pending("done", NOON).reported(filled()));
        assertThat(ids(model.search(page(OrderStatus.PENDING, 10, null)))).containsExactly("open");
        assertThat(model.search(new OrderQuery(ALICE, Set.of(), "AAPL", null, null, 10, null)))
                .hasSize(2);
        assertThat(model.search(new OrderQuery(ALICE, Set.of(), "MSFT", null, null, 10, null)))
                .isEmpty();
    }

    @Tag("D11")
    @DisplayName(
            "Orders are found by their times, since a moment and until before another, and by " + "several statuses")
    @Test
    void listsByTimes() {
        for (int i = 0; i < 4; i++) {
            record(records, pending("o-" + i, NOON.plusSeconds(i)));
        }
        record(records, pending("done", NOON).reported(filled()));
        Set<OrderStatus> both = Set.of(OrderStatus.PENDING, OrderStatus.FILLED);
        OrderQuery middle = new OrderQuery(ALICE, both, "AAPL", NOON.plusSeconds(1), NOON.plusSeconds(3), 10, null);
        assertThat(ids(model.search(middle))).containsExactly("o-2", "o-1");
        assertThat(model.search(page(null, 10, null))).hasSize(5);
    }

    @Tag("D11")
    @DisplayName("Everybody's orders are paged like one user's, though orders come in between")
    @Test
    void ordersOfAllUsersArePaged() {
        record(records, pending("a", NOON));
        record(records, OrderState.accepted(order(BOB, "a", NOON)));
        record(records, OrderState.accepted(order(BOB, "z", NOON.plusSeconds(1))));
        List<OrderState> first = model.search(new OrderQuery(null, Set.of(), null, null, null, 2, null));
        assertThat(ids(first)).containsExactly("z", "a");
        assertThat(first.getLast().request().userId()).isEqualTo(BOB);
        record(records, pending("new", NOON.plusSeconds(9)));
        List<OrderState> second =
                model.search(new OrderQuery(null, Set.of(), null, null, null, 2, Position.of(first.getLast())));
        assertThat(second).extracting(order -> order.request().userId()).containsExactly(ALICE);
    }

    @Test
    void theStepsAfterOneOfThem() {
        OrderState first = pending("o-1", NOON);
        OrderState second = first.reported(filled());
        record(records, first, second);
        assertThat(model.events(ALICE, O_1, first.revision())).containsExactly(second);
        assertThat(model.events(ALICE, O_1, second.revision())).isEmpty();
    }

    @DisplayName("The ledger tells every execution once, oldest first, and which the venue took back")
    @Test
    void fillsAreTold() {
        Execution late = new Execution("x-1", 1, Decimal.of("2.5"), Decimal.of("100"), NOON.plusSeconds(5), false);
        Execution early = new Execution("x-2", 0, Decimal.of("1"), Decimal.of("99.5"), NOON, false);
        Execution bust = new Execution("x-2", 0, Decimal.of("1"), Decimal.of("99.5"), NOON, true);
        records.record(ALICE, O_1, List.of(), List.of(late, early, late), HistoryPosition.OUTSIDE);
        records.record(ALICE, O_1, List.of(), List.of(bust), HistoryPosition.OUTSIDE);
        assertThat(model.fills(ALICE, O_1)).containsExactly(bust, late);
        assertThat(model.fills(BOB, O_1)).isEmpty();
    }

    @Test
    void newsArePublished() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        var listening = redis.client().connectPubSub();
        listening.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                heard.add(message);
            }
        });
        listening.sync().zadd("ws:streams:alice", Double.POSITIVE_INFINITY, "listener");
        listening.sync().subscribe("ws:events:listener");
        OrderState order = pending("o-1", NOON);
        record(records, order);
        assertThat(Json.read(String.valueOf(heard.poll(5, TimeUnit.SECONDS)), OrderState.class))
                .isEqualTo(order);
        listening.close();
    }

    @Test
    void withoutRedisTheOrderIsWrittenAllTheSame() {
        record(
                new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.unavailable()),
                pending("o-1", NOON));
        assertThat(model.find(ALICE, O_1)).isPresent();
    }

    private static OrderQuery page(@Nullable OrderStatus status, int limit, @Nullable Position after) {
        Set<OrderStatus> statuses = status == null ? Set.of() : Set.of(status);
        return new OrderQuery(ALICE, statuses, null, null, null, limit, after);
    }

    private static List<String> ids(List<OrderState> orders) {
        return orders.stream()
                .map(order -> order.request().clientOrderId().value())
                .toList();
    }
}
