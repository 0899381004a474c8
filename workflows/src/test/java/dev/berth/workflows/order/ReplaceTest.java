package dev.berth.workflows.order;

import static dev.berth.workflows.order.OrderFixture.TO_TWELVE;
import static dev.berth.workflows.order.OrderFixture.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import io.temporal.client.WorkflowUpdateException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replace answers when it has had its effect, or when it cannot have it any more. */
class ReplaceTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));

    @Test
    @Tag("E3")
    @DisplayName("An order that no worker has taken gets its new terms without one")
    void pendingOrderIsReplacedWithoutWorker() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(REQUEST);
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.PENDING);
            assertThat(after.terms().quantity()).hasToString("12");
            assertThat(fixture.venue.replacements).isEmpty();
        }
    }

    @Test
    @Tag("E6")
    @DisplayName(
            "An order in hand is not sent twice: its replacement waits for the answer and is " + "made at the venue")
    void orderInHandIsReplacedAtVenue() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFrom(inHand);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.orders.calls.size() == 1);
            CompletableFuture<OrderState> replacing = replace(order, TO_TWELVE);
            fixture.awaitUpdates(REQUEST, 1);
            inHand.complete(FakeVenueOrders.answered(OrderStatus.NEW, "0"));
            assertThat(replacing.join().terms().quantity()).hasToString("12");
            assertThat(fixture.orders.calls).hasSize(1);
            assertThat(fixture.venue.replacements)
                    .containsExactly(new ReplaceOrder(
                            REQUEST, 0, 1, new OrderTerms(Decimal.of("12"), null, null), Decimal.ZERO));
        }
    }

    @Test
    @Tag("E6")
    @DisplayName("An order that the worker surely did not send is sent once, under the new terms")
    void withdrawnOrderIsSentUnderNewTerms() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFrom(inHand);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.orders.calls.size() == 1);
            CompletableFuture<OrderState> replacing = replace(order, TO_TWELVE);
            fixture.awaitUpdates(REQUEST, 1);
            inHand.complete(new SubmitOutcome.Declined(SubmitOutcome.Cause.CANCELED));
            replacing.join();
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls)
                    .extracting(call -> call.request().quantity().toString())
                    .containsExactly("10", "12");
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("Fills of the order before and after its replacement add up, and their price is " + "averaged")
    void fillsOfAllVersions() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            fixture.venue.replaced.next(FakeVenueControl.replaced("4"));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
            assertThat(after.filledQuantity()).hasToString("4");
            assertThat(after.venueOrderId()).isEqualTo("v-2");
            order.report(FakeVenueControl.report(1, OrderStatus.FILLED, "8"));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.filledQuantity()).hasToString("12");
            assertThat(end.averagePrice()).hasToString("100.01");
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A replaced version that filled nothing is dropped, and a late fill brings it back")
    void droppedVersionReturns() {
        OrderState order = OrderState.accepted(REQUEST).reported(FakeVenueControl.report(0, OrderStatus.NEW, "0"));
        for (int version = 1; version <= 50; version++) {
            order = order.replacing(REQUEST.submittedAt())
                    .replaced(
                            order.terms(),
                            FakeVenueControl.report(version - 1, OrderStatus.PENDING_REPLACE, "0"),
                            FakeVenueControl.report(version, OrderStatus.NEW, "0"));
        }
        assertThat(order.versions()).extracting(OrderVersion::number).containsExactly(49, 50);
        OrderState late = order.reported(FakeVenueControl.report(7, OrderStatus.PENDING_REPLACE, "4"));
        assertThat(late.status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
        assertThat(late.filledQuantity()).hasToString("4");
        assertThat(late.versions()).extracting(OrderVersion::number).containsExactly(7, 49, 50);
        assertThat(late.reported(FakeVenueControl.report(50, OrderStatus.FILLED, "6"))
                        .filledQuantity())
                .hasToString("10");
    }

    @Test
    @Tag("B4")
    @DisplayName("A fill that was faster is the answer")
    void fasterFillIsTheAnswer() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.working(REQUEST);
            Reason late = FailureCode.NOT_REPLACED.because("The order is filled.");
            fixture.venue.replaced.next(
                    new ReplaceOutcome.NotReplaced(FakeVenueControl.report(0, OrderStatus.FILLED, "10"), late));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(after.terms().quantity()).hasToString("10");
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("A replacement that the venue refused leaves the order as it was, with the reason")
    void refusedReplacementKeepsOrder() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            Reason poor = FailureCode.NOT_REPLACED.because("insufficient buying power");
            fixture.venue.replaced.next(
                    new ReplaceOutcome.NotReplaced(FakeVenueControl.report(0, OrderStatus.NEW, "0"), poor));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.NEW);
            assertThat(after.reason()).isEqualTo(poor);
            assertThat(after.terms().quantity()).hasToString("10");
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("A replacement of unknown outcome is looked for under its own id, and found")
    void unknownAndThere() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            fixture.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            fixture.venue.found.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.NEW, "0")));
            fixture.venue.found.next(
                    new FindOutcome.Found(FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "4")));
            OrderState after = order.replace(TO_TWELVE);
            assertThat(after.status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
            assertThat(after.terms().quantity()).hasToString("12");
            assertThat(fixture.venue.replacements).hasSize(1);
            assertThat(fixture.venue.questions)
                    .extracting(FakeVenueControl.Question::version)
                    .startsWith(1, 0);
        }
    }

    @Test
    @Tag("X3")
    @DisplayName(
            "A replacement of unknown outcome that two look-ups do not find was not made; the " + "next has another id")
    void unknownAndNotThere() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            fixture.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            fixture.venue.found.next(new FindOutcome.Absent(1));
            fixture.venue.found.next(new FindOutcome.Absent(1));
            fixture.venue.found.usual(() -> FakeVenueControl.found(OrderStatus.NEW, "0"));
            CompletableFuture<OrderState> replacing = replace(order, TO_TWELVE);
            await().until(() -> !fixture.venue.questions.isEmpty());
            fixture.server.skip(OrderPolicies.SETTLE.plusSeconds(1));
            OrderState after = replacing.join();
            assertThat(after.status()).isEqualTo(OrderStatus.NEW);
            assertThat(after.reason()).asString().startsWith("broker: not-replaced: ");
            assertThat(Duration.between(
                            fixture.venue.questions.get(0).at(),
                            fixture.venue.questions.get(1).at()))
                    .isGreaterThanOrEqualTo(OrderPolicies.SETTLE);
            fixture.venue.replaced.next(new ReplaceOutcome.Replaced(
                    FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "0"),
                    FakeVenueControl.report(2, OrderStatus.NEW, "0")));
            order.replace(TO_TWELVE);
            assertThat(fixture.venue.replacements)
                    .extracting(ReplaceOrder::next)
                    .containsExactly(1, 2);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A cancel goes to the version that works")
    void cancelOfAReplacement() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            order.replace(TO_TWELVE);
            fixture.venue.canceled.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.CANCELED, "0")));
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.venue.cancels).containsExactly(new CancelOrder(REQUEST, 1));
        }
    }

    @Test
    @Tag("E12")
    @DisplayName("A replace that names nothing, or a price that the order does not have, is refused")
    void invalidReplaceIsRefused() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(REQUEST);
            assertThatThrownBy(() -> order.replace(new Replacement(null, null, null)))
                    .isInstanceOf(WorkflowUpdateException.class)
                    .hasStackTraceContaining("Name what to replace");
            assertThatThrownBy(() -> order.replace(new Replacement(null, Decimal.of("5"), null)))
                    .isInstanceOf(WorkflowUpdateException.class)
                    .hasStackTraceContaining("A market order takes no limitPrice.");
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("A cancel does not wait until it is known whether the order was replaced, and takes " + "back both")
    void canceledWhileUnknown() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            fixture.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            fixture.requests.unproven.usual(() -> 1L);
            fixture.venue.found.usual(() -> new FindOutcome.Absent(2));
            fixture.venue.canceled.usual(
                    () -> new FindOutcome.Found(FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "0")));
            var _ = replace(order, TO_TWELVE);
            fixture.awaitStatus(order, OrderStatus.PENDING_REPLACE);
            var _ = OrderFixture.cancel(order);
            await().until(() -> fixture.venue.cancels.contains(new CancelOrder(REQUEST, 0)));
            fixture.venue.canceled.usual(
                    () -> new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.CANCELED, "0")));
            fixture.venue.found.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.NEW, "0")));
            fixture.venue.found.next(
                    new FindOutcome.Found(FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "0")));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.venue.cancels).contains(new CancelOrder(REQUEST, 1));
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("Fills are heard while it is not known whether the order was replaced")
    void filledWhileUnknown() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            fixture.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
            fixture.requests.unproven.usual(() -> 1L);
            fixture.venue.found.usual(() -> new FindOutcome.Absent(2));
            var _ = replace(order, TO_TWELVE);
            fixture.awaitStatus(order, OrderStatus.PENDING_REPLACE);
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
        }
    }
}
