package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import io.temporal.client.WorkflowUpdateException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A replace answers when it has had its effect, or when it can not have it any more. */
class ReplaceTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));
    private static final Replacement TO_TWELVE = new Replacement(Decimal.of("12"), null, null);
    private static final Replacement TO_SIX = new Replacement(Decimal.of("6"), null, null);

    @Test
    @DisplayName("E3 an order that no worker has taken gets its new terms without one")
    void pending() {
        try (OrderFixture at = OrderFixture.withoutWorker()) {
            OrderWorkflow order = at.begin(REQUEST);
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.PENDING);
            assertThat(after.terms().quantity()).hasToString("12");
            assertThat(at.venue.replacements).isEmpty();
        }
    }

    @Test
    @DisplayName("E6 an order in hand is not sent twice: its replacement waits for the answer and is made at the venue")
    void inHand() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFrom(inHand);
            OrderWorkflow order = at.begin(REQUEST);
            await().until(() -> at.orders.calls.size() == 1);
            CompletableFuture<OrderState> replacing = replace(order, TO_TWELVE);
            at.awaitUpdates(REQUEST, 1);
            inHand.complete(FakeVenueOrders.answered(OrderStatus.NEW, "0"));
            assertThat(replacing.join().terms().quantity()).hasToString("12");
            assertThat(at.orders.calls).hasSize(1);
            assertThat(at.venue.replacements)
                    .containsExactly(
                            new ReplaceOrder(REQUEST, 0, 1, new Terms(Decimal.of("12"), null, null), Decimal.ZERO));
        }
    }

    @Test
    @DisplayName("E6 an order that the worker surely did not send is sent once, under the new terms")
    void withdrawn() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFrom(inHand);
            OrderWorkflow order = at.begin(REQUEST);
            await().until(() -> at.orders.calls.size() == 1);
            CompletableFuture<OrderState> replacing = replace(order, TO_TWELVE);
            at.awaitUpdates(REQUEST, 1);
            inHand.complete(new SubmitOutcome.Declined(SubmitOutcome.Cause.CANCELED));
            replacing.join();
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.orders.calls)
                    .extracting(call -> call.request().quantity().toString())
                    .containsExactly("10", "12");
        }
    }

    @Test
    @DisplayName("B4 fills of the order before and after its replacement add up, and their price is averaged")
    void fillsOfAllLegs() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            at.venue.replaced.next(FakeVenueControl.replaced("4"));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
            assertThat(after.filledQuantity()).hasToString("4");
            assertThat(after.venueOrderId()).isEqualTo("v-2");
            order.report(FakeVenueControl.report(1, OrderStatus.FILLED, "8"));
            OrderState end = at.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.filledQuantity()).hasToString("12");
            assertThat(end.averagePrice()).hasToString("100.01");
        }
    }

    @Test
    @DisplayName("B4 a fill that was faster is the answer")
    void tooLate() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            Reason late = FailureCode.NOT_REPLACED.because("The order is filled.");
            at.venue.replaced.next(
                    new ReplaceOutcome.NotReplaced(FakeVenueControl.report(0, OrderStatus.FILLED, "10"), late));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(after.terms().quantity()).hasToString("10");
        }
    }

    @Test
    @DisplayName("X3 a replacement that the venue refused leaves the order as it was, with the reason")
    void refused() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            Reason poor = FailureCode.NOT_REPLACED.because("insufficient buying power");
            at.venue.replaced.next(
                    new ReplaceOutcome.NotReplaced(FakeVenueControl.report(0, OrderStatus.NEW, "0"), poor));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.NEW);
            assertThat(after.reason()).isEqualTo(poor);
            assertThat(after.terms().quantity()).hasToString("10");
        }
    }

    @Test
    @DisplayName("X3 a replacement of unknown outcome is looked for under its own id, and found")
    void unknownAndThere() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            at.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            at.venue.found.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.NEW, "0")));
            at.venue.found.next(new FindOutcome.Found(FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "4")));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
            assertThat(after.terms().quantity()).hasToString("12");
            assertThat(at.venue.replacements).hasSize(1);
            assertThat(at.venue.questions)
                    .extracting(FakeVenueControl.Question::leg)
                    .startsWith(1, 0);
        }
    }

    @Test
    @DisplayName(
            "X3 a replacement of unknown outcome that two look-ups do not find was not made; the next has another id")
    void unknownAndNotThere() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            at.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            at.venue.found.next(new FindOutcome.Absent(1));
            at.venue.found.next(new FindOutcome.Absent(1));
            at.venue.found.usual(() -> FakeVenueControl.found(OrderStatus.NEW, "0"));
            CompletableFuture<OrderState> replacing = replace(order, TO_TWELVE);
            await().until(() -> !at.venue.questions.isEmpty());
            at.server.skip(OrderPolicies.SETTLE.plusSeconds(1));
            OrderState after = replacing.join();
            assertThat(after.status()).isEqualTo(OrderStatus.NEW);
            assertThat(after.reason()).asString().startsWith("broker: not-replaced: ");
            assertThat(Duration.between(
                            at.venue.questions.get(0).at(),
                            at.venue.questions.get(1).at()))
                    .isGreaterThanOrEqualTo(OrderPolicies.SETTLE);
            at.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "0"),
                    FakeVenueControl.report(2, OrderStatus.NEW, "0")));
            order.replace(TO_TWELVE);
            assertThat(at.venue.replacements).extracting(ReplaceOrder::next).containsExactly(1, 2);
        }
    }

    @Test
    @DisplayName(
            "B4 a fill between the worker's question and its write would make the order too large: it is replaced once more")
    void tooMuch() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            at.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "4"), mayFill(1, "12")));
            at.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(1, OrderStatus.PENDING_REPLACE, "0"), mayFill(2, "8")));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.leg().number()).isEqualTo(2);
            assertThat(at.venue.replacements)
                    .extracting(
                            ReplaceOrder::next,
                            replacement -> replacement.filledBefore().toString())
                    .containsExactly(tuple(1, "0"), tuple(2, "4"));
        }
    }

    @Test
    @DisplayName("B4 a leg that may fill more than is wanted, when all that is wanted is filled, is canceled")
    void tooMuchAndAllIsFilled() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("6", at);
            at.venue.canceled.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.CANCELED, "0")));
            OrderState after = order.replace(TO_SIX);
            assertThat(after.status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(after.filledQuantity()).hasToString("6");
            assertThat(at.venue.cancels).containsExactly(new CancelOrder(REQUEST, 1));
            assertThat(at.venue.replacements).hasSize(1);
        }
    }

    @Test
    @DisplayName("B4 the cancel of a leg that may fill more than is wanted is repeated until the venue confirms it")
    void tooMuchAndTheCancelIsNotConfirmed() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("6", at);
            at.venue.canceled.nextFailure(new IllegalStateException("the worker is gone"));
            at.venue.canceled.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.PENDING_CANCEL, "0")));
            at.venue.canceled.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.CANCELED, "1")));
            OrderState after = order.replace(TO_SIX);
            assertThat(after.status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(after.filledQuantity()).hasToString("7");
            assertThat(at.venue.cancels).hasSize(3);
        }
    }

    @Test
    @DisplayName("B4 a leg that may fill more than is wanted is replaced again after the venue refused that")
    void tooMuchAndRefused() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("4", at);
            at.venue.replaced.next(new ReplaceOutcome.NotReplaced(
                    mayFill(1, "6"), FailureCode.NOT_REPLACED.because("The broker refused: busy.")));
            at.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(1, OrderStatus.PENDING_REPLACE, "0"), mayFill(3, "2")));
            OrderState after = order.replace(TO_SIX);
            assertThat(after.leg().number()).isEqualTo(3);
            assertThat(after.terms().quantity()).hasToString("6");
            assertThat(at.venue.replacements).extracting(ReplaceOrder::next).containsExactly(1, 2, 3);
        }
    }

    @Test
    @DisplayName("B4 a leg that may fill more than is wanted is replaced again after that replacement was lost")
    void tooMuchAndLost() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("4", at);
            at.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            at.venue.found.next(new FindOutcome.Absent(1));
            at.venue.found.next(new FindOutcome.Absent(1));
            at.venue.found.next(new FindOutcome.Found(mayFill(1, "6")));
            at.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(1, OrderStatus.PENDING_REPLACE, "0"), mayFill(3, "2")));
            CompletableFuture<OrderState> replacing = replace(order, TO_SIX);
            await().until(() -> !at.venue.questions.isEmpty());
            at.server.skip(OrderPolicies.SETTLE.plusSeconds(1));
            assertThat(replacing.join().leg().number()).isEqualTo(3);
            assertThat(at.venue.replacements).extracting(ReplaceOrder::next).containsExactly(1, 2, 3);
        }
    }

    @Test
    @DisplayName("B4 a leg that may fill more than is wanted, and is over before it is replaced again, is the answer")
    void tooMuchAndOver() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = tooLargeAfter("4", at);
            at.venue.replaced.next(new ReplaceOutcome.NotReplaced(
                    FakeVenueControl.report(1, OrderStatus.FILLED, "6"), FailureCode.NOT_REPLACED.because("Over.")));
            OrderState after = order.replace(TO_SIX);
            assertThat(after.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(after.filledQuantity()).hasToString("10");
            assertThat(at.venue.cancels).isEmpty();
        }
    }

    /** An order for ten whose replacement to six comes to be a leg of six, after so many fills that nobody saw in time. */
    private static OrderWorkflow tooLargeAfter(String filled, OrderFixture at) {
        OrderWorkflow order = at.working(REQUEST);
        at.venue.replaced.next(new ReplaceOutcome.Replaced(
                FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, filled), mayFill(1, "6")));
        return order;
    }

    private static VenueReport mayFill(int leg, String quantity) {
        VenueReport report = FakeVenueControl.report(leg, OrderStatus.NEW, "0");
        return new VenueReport(
                leg,
                Decimal.of(quantity),
                report.status(),
                report.venueStatus(),
                report.venueOrderId(),
                report.filledQuantity(),
                null,
                null,
                null,
                report.executions(),
                report.at(),
                report.epoch());
    }

    @Test
    @DisplayName("B4 a cancel goes to the leg that works")
    void cancelOfAReplacement() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            order.replace(TO_TWELVE);
            at.venue.canceled.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.CANCELED, "0")));
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.venue.cancels).containsExactly(new CancelOrder(REQUEST, 1));
        }
    }

    @Test
    @DisplayName("E12 a replace that names nothing, or a price that the order does not have, is refused")
    void invalid() {
        try (OrderFixture at = OrderFixture.withoutWorker()) {
            OrderWorkflow order = at.begin(REQUEST);
            assertThatThrownBy(() -> order.replace(new Replacement(null, null, null)))
                    .isInstanceOf(WorkflowUpdateException.class)
                    .hasStackTraceContaining("Name what to replace");
            assertThatThrownBy(() -> order.replace(new Replacement(null, Decimal.of("5"), null)))
                    .isInstanceOf(WorkflowUpdateException.class)
                    .hasStackTraceContaining("A market order takes no limitPrice.");
        }
    }

    private static CompletableFuture<OrderState> replace(OrderWorkflow order, Replacement change) {
        return CompletableFuture.supplyAsync(() -> order.replace(change), Thread::startVirtualThread);
    }

    @Test
    @DisplayName("X3 a cancel does not wait until it is known whether the order was replaced, and takes back both")
    void canceledWhileUnknown() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            at.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            at.requests.unproven.usual(() -> 1L);
            at.venue.found.usual(() -> new FindOutcome.Absent(2));
            at.venue.canceled.usual(
                    () -> new FindOutcome.Found(FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "0")));
            var _ = CompletableFuture.runAsync(() -> order.replace(TO_TWELVE), Thread::startVirtualThread);
            at.awaitStatus(order, OrderStatus.PENDING_REPLACE);
            var _ = OrderFixture.cancel(order);
            await().until(() -> at.venue.cancels.contains(new CancelOrder(REQUEST, 0)));
            at.venue.canceled.usual(() -> new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.CANCELED, "0")));
            at.venue.found.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.NEW, "0")));
            at.venue.found.next(new FindOutcome.Found(FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "0")));
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.venue.cancels).contains(new CancelOrder(REQUEST, 1));
        }
    }

    @Test
    @DisplayName("X3 fills are heard while it is not known whether the order was replaced")
    void filledWhileUnknown() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            at.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            at.requests.unproven.usual(() -> 1L);
            at.venue.found.usual(() -> new FindOutcome.Absent(2));
            var _ = CompletableFuture.runAsync(() -> order.replace(TO_TWELVE), Thread::startVirtualThread);
            at.awaitStatus(order, OrderStatus.PENDING_REPLACE);
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.FILLED);
        }
    }
}
