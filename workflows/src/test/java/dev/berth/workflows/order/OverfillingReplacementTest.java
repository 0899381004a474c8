package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A version that may fill more than is wanted, since fills came while the order was replaced. */
class OverfillingReplacementTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));
    private static final Replacement TO_SIX = new Replacement(Decimal.of("6"), null, null);

    @Test
    @Tag("B4")
    @DisplayName("A fill between the worker's question and its write would make the order too large: "
            + "it is replaced once more")
    void overfillingReplacementIsReplacedAgain() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.working(REQUEST);
            fixture.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "4"), mayFill(1, "12")));
            fixture.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(1, OrderStatus.PENDING_REPLACE, "0"), mayFill(2, "8")));
            OrderState after = order.replace(OrderFixture.TO_TWELVE);
            assertThat(after.currentVersion().number()).isEqualTo(2);
            assertThat(fixture.venue.replacements)
                    .extracting(
                            ReplaceOrder::next,
                            replacement -> replacement.filledBefore().toString())
                    .containsExactly(tuple(1, "0"), tuple(2, "4"));
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A version that may fill more than is wanted, when all that is wanted is filled, is " + "canceled")
    void tooMuchAndAllIsFilled() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("6", fixture);
            fixture.venue.canceled.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.CANCELED, "0")));
            OrderState after = order.replace(TO_SIX);
            assertThat(after.status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(after.filledQuantity()).hasToString("6");
            assertThat(fixture.venue.cancels).containsExactly(new CancelOrder(REQUEST, 1));
            assertThat(fixture.venue.replacements).hasSize(1);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName(
            "The cancel of a version that may fill more than is wanted is repeated until the venue " + "confirms it")
    void tooMuchAndTheCancelIsNotConfirmed() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("6", fixture);
            fixture.venue.canceled.nextFailure(new IllegalStateException("the worker is gone"));
            fixture.venue.canceled.next(
                    new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.PENDING_CANCEL, "0")));
            fixture.venue.canceled.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.CANCELED, "1")));
            OrderState after = order.replace(TO_SIX);
            assertThat(after.status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(after.filledQuantity()).hasToString("7");
            assertThat(fixture.venue.cancels).hasSize(3);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A version that may fill more than is wanted is replaced again after the venue refused " + "that")
    void tooMuchAndRefused() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("4", fixture);
            fixture.venue.replaced.next(new ReplaceOutcome.NotReplaced(
                    mayFill(1, "6"), FailureCode.NOT_REPLACED.because("The broker refused: busy.")));
            fixture.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(1, OrderStatus.PENDING_REPLACE, "0"), mayFill(3, "2")));
            OrderState after = order.replace(TO_SIX);
            assertThat(after.currentVersion().number()).isEqualTo(3);
            assertThat(after.terms().quantity()).hasToString("6");
            assertThat(fixture.venue.replacements)
                    .extracting(ReplaceOrder::next)
                    .containsExactly(1, 2, 3);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A version that may fill more than is wanted is replaced again after that replacement " + "was lost")
    void tooMuchAndLost() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("4", fixture);
            fixture.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            fixture.venue.found.next(new FindOutcome.Absent(1));
            fixture.venue.found.next(new FindOutcome.Absent(1));
            fixture.venue.found.next(new FindOutcome.Found(mayFill(1, "6")));
            fixture.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(1, OrderStatus.PENDING_REPLACE, "0"), mayFill(3, "2")));
            CompletableFuture<OrderState> replacing = OrderFixture.replace(order, TO_SIX);
            await().until(() -> !fixture.venue.questions.isEmpty());
            fixture.server.skip(OrderPolicies.SETTLE.plusSeconds(1));
            assertThat(replacing.join().currentVersion().number()).isEqualTo(3);
            assertThat(fixture.venue.replacements)
                    .extracting(ReplaceOrder::next)
                    .containsExactly(1, 2, 3);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName(
            "A version that may fill more than is wanted, and is over before it is replaced again, " + "is the answer")
    void tooMuchAndOver() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("4", fixture);
            fixture.venue.replaced.next(new ReplaceOutcome.NotReplaced(
                    FakeVenueControl.report(1, OrderStatus.FILLED, "6"), FailureCode.NOT_REPLACED.because("Over.")));
            OrderState after = order.replace(TO_SIX);
            assertThat(after.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(after.filledQuantity()).hasToString("10");
            assertThat(fixture.venue.cancels).isEmpty();
        }
    }

    /**
     * An order for ten whose replacement to six comes to be a version of six, after so many fills
     * that no worker saw in time.
     */
    private static OrderWorkflow tooLargeAfter(String filled, OrderFixture fixture) {
        OrderWorkflow order = fixture.working(REQUEST);
        fixture.venue.replaced.next(new ReplaceOutcome.Replaced(
                FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, filled), mayFill(1, "6")));
        return order;
    }

    private static ExecutionReport mayFill(int version, String quantity) {
        return FakeVenueControl.report(version, OrderStatus.NEW, "0").withQuantity(Decimal.of(quantity));
    }
}
