package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A venue may take a replacement and reject it later, such as when the order was filled in between. */
class RejectedReplacementTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));
    private static final Replacement TO_TWELVE = new Replacement(Decimal.of("12"), null, null);

    private static FindOutcome found(int leg, OrderStatus status, String filled) {
        return new FindOutcome.Found(FakeVenueControl.report(leg, status, filled));
    }

    /** An order whose replacement the venue has taken. */
    private static OrderWorkflow replaced(OrderFixture at) {
        OrderWorkflow order = at.working(REQUEST);
        assertThat(order.replace(TO_TWELVE).terms().quantity()).hasToString("12");
        return order;
    }

    @Test
    @DisplayName("B4 the order goes on under its old terms, says why, and can be replaced again under another number")
    void goesOn() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.found.usual(() -> found(0, OrderStatus.NEW, "0"));
            OrderWorkflow order = replaced(at);
            order.report(FakeVenueControl.report(1, OrderStatus.REJECTED, "0"));
            at.awaitStatus(order, OrderStatus.NEW);
            assertThat(order.state().terms().quantity()).hasToString("10");
            assertThat(at.records.steps)
                    .anySatisfy(step -> assertThat(FailureCode.NOT_REPLACED.isOf(step.reason()))
                            .isTrue());
            at.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "0"),
                    FakeVenueControl.report(2, OrderStatus.NEW, "0")));
            assertThat(order.replace(TO_TWELVE).leg().number()).isEqualTo(2);
            order.report(FakeVenueControl.report(2, OrderStatus.FILLED, "12"));
            assertThat(at.end(order).filledQuantity()).hasToString("12");
        }
    }

    @Test
    @DisplayName("B4 an order that was filled before its replacement was rejected is FILLED, and not REJECTED")
    void wasFilled() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.found.usual(() -> found(0, OrderStatus.FILLED, "10"));
            OrderWorkflow order = replaced(at);
            order.report(FakeVenueControl.report(0, OrderStatus.FILLED, "10"));
            order.report(FakeVenueControl.report(1, OrderStatus.REJECTED, "0"));
            OrderState end = at.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.filledQuantity()).hasToString("10");
            assertThat(at.venue.questions)
                    .last()
                    .satisfies(asked -> assertThat(asked.leg()).isZero());
        }
    }

    @Test
    @DisplayName("E6 a cancel that went to the rejected replacement is made again, for the order that is there")
    void canceled() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = replaced(at);
            at.venue.canceled.next(found(1, OrderStatus.REJECTED, "0"));
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.venue.cancels).extracting(CancelOrder::leg).containsExactly(1, 0);
        }
    }

    @Test
    @DisplayName("X3 a replacement of unknown outcome that is found rejected was refused")
    void foundRejected() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            at.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            at.venue.found.next(found(1, OrderStatus.REJECTED, "0"));
            at.venue.found.next(found(0, OrderStatus.NEW, "0"));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.NEW);
            assertThat(after.terms().quantity()).hasToString("10");
            assertThat(Objects.requireNonNull(after.reason()).code()).isEqualTo("not-replaced");
        }
    }
}
