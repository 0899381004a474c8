package dev.berth.activities.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.filled;
import static dev.berth.temporal.OrderSamples.order;
import static dev.berth.temporal.OrderSamples.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.OrdersInAttention.Waiting;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrdersInAttentionTest {
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final PostgresOrderRecords records =
            new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands());
    private static final OrdersInAttention attention = new OrdersInAttention(postgres.client());

    private static OrderState failed(UserId userId, String id, Instant at) {
        return OrderState.accepted(order(userId, id, at))
                .became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker took it."), at);
    }

    private static OrderState recorded(OrderState order) {
        records.record(
                order.request().userId(),
                order.request().clientOrderId(),
                List.of(order),
                List.of(),
                HistoryPosition.OUTSIDE);
        return order;
    }

    @Tag("B5")
    @DisplayName("What failed for good is kept and counted, newest first; what goes well is not among " + "it")
    @Test
    void failedOrdersAreKeptAndCounted() {
        recorded(failed(ALICE, "o-1", now.minusSeconds(60)));
        recorded(failed(BOB, "o-2", now.minusSeconds(30)));
        recorded(OrderState.accepted(order(ALICE, "fine", now)).reported(filled()));
        assertThat(attention.count()).isEqualTo(2);
        assertThat(ids(attention.page(null, 10, null))).containsExactly("o-2", "o-1");
        assertThat(ids(attention.page(ALICE, 10, null))).containsExactly("o-1");
        Waiting first = attention.page(null, 1, null).getFirst();
        assertThat(first.since()).isEqualTo(now.minusSeconds(30));
        recorded(failed(ALICE, "o-3", now));
        assertThat(ids(attention.page(null, 1, first.position()))).containsExactly("o-1");
    }

    @Tag("D7")
    @DisplayName("An order that is requeued leaves the list, and is in it again when it fails again")
    @Test
    void aRequeuedOneLeaves() {
        OrderState requeued = recorded(failed(ALICE, "o-1", now.minusSeconds(9)))
                .requeued(FailureCode.REQUEUED.because("Requeued by olga: again"), now.minusSeconds(6));
        recorded(requeued);
        assertThat(attention.page(null, 10, null)).isEmpty();
        recorded(requeued.became(OrderStatus.FAILED, FailureCode.NOT_SENT.because("Too late."), now));
        assertThat(ids(attention.page(null, 10, null))).containsExactly("o-1");
    }

    @Tag("B5")
    @DisplayName("A fill after the end and a bust need attention, but cannot be requeued")
    @Test
    void lateFillsAndBusts() {
        OrderState done = recorded(OrderState.accepted(order(ALICE, "o-1", now)).reported(filled()));
        recorded(done.corrected(report(0, OrderStatus.FILLED, "9", now), FailureCode.BUST.because("Taken back.")));
        assertThat(ids(attention.page(null, 10, null))).containsExactly("o-1");
        assertThat(attention.failed(10)).isEmpty();
    }

    @Tag("B5")
    @DisplayName("What failed is kept for 14 days")
    @Test
    void keptFor14Days() {
        recorded(failed(ALICE, "kept", now.minus(Duration.ofDays(14)).plusSeconds(60)));
        recorded(failed(ALICE, "gone", now.minus(Duration.ofDays(14)).minusSeconds(60)));
        assertThat(ids(attention.page(null, 10, null))).containsExactly("kept");
    }

    @Tag("X15")
    @DisplayName("Orders with time left stand before those that have expired")
    @Test
    void thoseWithTimeLeftFirst() {
        OrderState inTime = failed(ALICE, "in-time", now.minusSeconds(100));
        recorded(inTime);
        recorded(OrderState.accepted(order(ALICE, "expired", now.minusSeconds(600)))
                .became(OrderStatus.FAILED, FailureCode.NOT_TAKEN.because("No worker took it."), now));
        assertThat(attention.failed(1)).containsExactly(inTime);
        assertThat(attention.failed(10)).hasSize(2);
    }

    private static List<String> ids(List<Waiting> waiting) {
        return waiting.stream()
                .map(one -> one.order().request().clientOrderId().value())
                .toList();
    }
}
