package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An order whose workflow was ended while it was open, carried on by another run. */
class AdoptedOrderTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));
    private static final OrderState ATTEMPTED = OrderState.accepted(REQUEST).attempted(InMemoryServer.OPEN);
    private static final OrderState WORKING = ATTEMPTED.reported(Samples.report(OrderStatus.NEW, "0"));

    private final OrderFixture at = OrderFixture.withWorker();

    @AfterEach
    void close() {
        at.close();
    }

    private OrderWorkflow adopt(OrderState order) {
        OrderWorkflow adopted = at.prepare(REQUEST);
        WorkflowClient.start(adopted::run, order.adopted(InMemoryServer.OPEN));
        return adopted;
    }

    @Test
    @DisplayName("X3 one that the venue had not answered is asked for first")
    void unanswered() {
        at.venue.found.next(FakeVenueControl.found(OrderStatus.FILLED, "10"));
        assertThat(at.end(adopt(ATTEMPTED)).status()).isEqualTo(OrderStatus.FILLED);
        assertThat(at.records.statuses()).startsWith(OrderStatus.UNKNOWN);
        assertThat(at.orders.calls).isEmpty();
    }

    @Test
    @DisplayName(
            "X1 one that works at the venue is followed, says why, and is never sent, whoever does not find it there")
    void working() {
        at.venue.found.next(new FindOutcome.Absent(1));
        at.venue.found.next(new FindOutcome.Absent(1));
        OrderWorkflow order = adopt(WORKING);
        await().until(() -> !at.records.steps.isEmpty());
        at.server.skip(Duration.ofMinutes(1));
        assertThat(at.end(order).status()).isEqualTo(OrderStatus.FILLED);
        assertThat(at.records.steps.getFirst().status()).isEqualTo(OrderStatus.NEW);
        assertThat(at.records.steps.getFirst().reason()).asString().startsWith("internal: adopted: ");
        assertThat(at.orders.calls).isEmpty();
    }

    @Test
    @DisplayName("X1 a cancel that its user had asked for goes on")
    void canceling() {
        OrderWorkflow order = adopt(WORKING.became(OrderStatus.PENDING_CANCEL, null, InMemoryServer.OPEN));
        assertThat(at.end(order).status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(at.venue.cancels).hasSize(1);
    }

    @Test
    @DisplayName("X1 a replacement that got through, with nobody there to hear of it, is found and followed")
    void replacing() {
        at.venue.found.next(new FindOutcome.Found(replacedAtVenue("3")));
        at.venue.found.next(new FindOutcome.Found(nextLeg("7")));
        OrderWorkflow order = adopt(WORKING.replacing(InMemoryServer.OPEN));
        await().until(() -> at.venue.questions.size() == 2);
        at.awaitStatus(order, OrderStatus.PARTIALLY_FILLED);
        assertThat(order.state().leg().number()).isEqualTo(1);
        assertThat(order.state().terms().quantity()).isEqualTo(Decimal.of("10"));
        order.report(FakeVenueControl.report(1, OrderStatus.FILLED, "7"));
        OrderState end = at.end(order);
        assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
        assertThat(end.filledQuantity()).hasToString("10");
    }

    @Test
    @DisplayName(
            "X1 when the venue does not know the replacement, somebody else's took its place, and a person is called")
    void replacedElsewhere() {
        at.venue.found.next(new FindOutcome.Found(replacedAtVenue("0")));
        at.venue.found.next(new FindOutcome.Absent(1));
        OrderWorkflow order = adopt(WORKING.replacing(InMemoryServer.OPEN));
        OrderState end = at.end(order);
        assertThat(end.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(end.reason()).asString().startsWith("broker: replaced-elsewhere: ");
        assertThat(InMemoryServer.attention(order)).isTrue();
    }

    private static VenueReport replacedAtVenue(String filled) {
        return as(OrderPolicies.REPLACED, FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, filled), null);
    }

    private static VenueReport nextLeg(String quantity) {
        return as("new", FakeVenueControl.report(1, OrderStatus.NEW, "0"), Decimal.of(quantity));
    }

    private static VenueReport as(String word, VenueReport report, @Nullable Decimal quantity) {
        return new VenueReport(
                report.leg(),
                quantity,
                report.status(),
                word,
                report.venueOrderId(),
                report.filledQuantity(),
                report.averagePrice(),
                null,
                null,
                report.executions(),
                report.at(),
                report.epoch());
    }
}
