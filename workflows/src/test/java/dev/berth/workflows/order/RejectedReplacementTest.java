package dev.berth.workflows.order;

import static dev.berth.workflows.order.OrderFixture.TO_TWELVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A venue may take a replacement and reject it later, such as when the order was filled in between.
 */
class RejectedReplacementTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));

    private static FindOutcome found(int version, OrderStatus status, String filled) {
        return new FindOutcome.Found(FakeVenueControl.report(version, status, filled));
    }

    /** An order whose replacement the venue has taken. */
    private static OrderWorkflow replaced(OrderFixture fixture) {
        OrderWorkflow order = fixture.working(REQUEST);
        assertThat(order.replace(TO_TWELVE).terms().quantity()).hasToString("12");
        return order;
    }

    @Test
    @Tag("B4")
    @DisplayName("The order goes on under its old terms, says why, and can be replaced again under " + "another number")
    void orderKeepsItsOldTerms() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.found.usual(() -> found(0, OrderStatus.NEW, "0"));
            OrderWorkflow order = replaced(fixture);
            order.report(FakeVenueControl.report(1, OrderStatus.REJECTED, "0"));
            fixture.awaitStatus(order, OrderStatus.NEW);
            assertThat(order.state().terms().quantity()).hasToString("10");
            assertThat(fixture.records.steps)
                    .anySatisfy(step -> assertThat(FailureCode.NOT_REPLACED.isOf(step.reason()))
                            .isTrue());
            fixture.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "0"),
                    FakeVenueControl.report(2, OrderStatus.NEW, "0")));
            assertThat(order.replace(TO_TWELVE).currentVersion().number()).isEqualTo(2);
            order.report(FakeVenueControl.report(2, OrderStatus.FILLED, "12"));
            assertThat(fixture.end(order).filledQuantity()).hasToString("12");
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("An order that was filled before its replacement was rejected is FILLED, and not " + "REJECTED")
    void filledOrderStaysFilled() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.executions.usual(() -> found(0, OrderStatus.FILLED, "10"));
            OrderWorkflow order = replaced(fixture);
            order.report(FakeVenueControl.report(0, OrderStatus.FILLED, "10"));
            order.report(FakeVenueControl.report(1, OrderStatus.REJECTED, "0"));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.filledQuantity()).hasToString("10");
            assertThat(fixture.venue.ledgerQuestions)
                    .last()
                    .satisfies(asked -> assertThat(asked.version()).isZero());
        }
    }

    @Test
    @Tag("E6")
    @DisplayName("A cancel that went to the rejected replacement is made again, for the order that is " + "there")
    void cancelIsRepeatedForOldVersion() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = replaced(fixture);
            fixture.venue.canceled.next(found(1, OrderStatus.REJECTED, "0"));
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.venue.cancels).extracting(CancelOrder::version).containsExactly(1, 0);
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("A replacement of unknown outcome that is found rejected was refused")
    void replacementFoundRejectedIsRefused() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.working(REQUEST);
            fixture.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            fixture.venue.found.next(found(1, OrderStatus.REJECTED, "0"));
            fixture.venue.found.next(found(0, OrderStatus.NEW, "0"));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.NEW);
            assertThat(after.terms().quantity()).hasToString("10");
            assertThat(Objects.requireNonNull(after.reason()).code()).isEqualTo("not-replaced");
        }
    }
}
