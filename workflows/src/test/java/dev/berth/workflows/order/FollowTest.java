package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.order.Reason.Category;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From the venue's first answer to the final state. */
class FollowTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(1));

    @Test
    void reportsLeadToTheFinalState() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            fixture.awaitStatus(order, OrderStatus.PARTIALLY_FILLED);
            assertThat(order.state().filledQuantity()).hasToString("4");
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.filledQuantity()).hasToString("10");
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    void reportsToldTwiceOrLateChangeNothing() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "3"));
            order.report(Samples.report(OrderStatus.NEW, "0"));
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.records.steps)
                    .extracting(step -> step.status() + " " + step.filledQuantity())
                    .containsExactly("PENDING 0", "DISPATCHED 0", "NEW 0", "PARTIALLY_FILLED 4", "FILLED 10");
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("An end that the venue reports ends the order, though more was reported as filled before it")
    void anEndCountsAgainstMoreFills() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "99"));
            fixture.awaitStatus(order, OrderStatus.PARTIALLY_FILLED);
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.filledQuantity()).hasToString("10");
        }
    }

    @Test
    @Tag("E12")
    @DisplayName("A refusal keeps the venue's reason, under its prefix")
    void rejectionKeepsVenuesReason() {
        Reason poor = new Reason(Category.BROKER, "insufficient-funds", "The account has too little buying power.");
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(FakeVenueOrders.answered(
                    ExecutionReport.unfilled(0, OrderStatus.REJECTED, "rejected", Samples.ANSWERED, 1)
                            .withReason(poor)));
            OrderState end = fixture.run(REQUEST);
            assertThat(end.status()).isEqualTo(OrderStatus.REJECTED);
            assertThat(end.reason()).isEqualTo(poor);
            assertThat(end.venueOrderId()).isNull();
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("Delayed checks back off from 2 s to 5 min and find a fill whose push was lost")
    void delayedChecksFindLostFill() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            for (int i = 0; i < 10; i++) {
                fixture.venue.found.next(FakeVenueControl.found(OrderStatus.NEW, "0"));
            }
            OrderWorkflow order = fixture.working(REQUEST);
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            List<Integer> pauses = List.of(4, 8, 16, 32, 64, 128, 256, 300, 300, 300);
            assertThat(fixture.venue.questions).hasSize(pauses.size() + 1);
            for (int i = 0; i < pauses.size(); i++) {
                assertThat(Duration.between(
                                fixture.venue.questions.get(i).at(),
                                fixture.venue.questions.get(i + 1).at()))
                        .as("pause %d", i)
                        .isBetween(Duration.ofSeconds(pauses.get(i)), Duration.ofSeconds(pauses.get(i) + 5));
            }
        }
    }

    @Test
    @Tag("B4")
    @DisplayName(
            "While the session hears of every change an order that rests for a day takes at most 40 billable actions")
    @Timeout(120)
    void restsForADay() {
        Duration day = Duration.ofMinutes(390);
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.found.usual(() -> new FindOutcome.Found(Samples.report(OrderStatus.NEW, "0"), true));
            fixture.orders.answers.next(FakeVenueOrders.answered(OrderStatus.NEW, "0"));
            OrderWorkflow order = fixture.prepare(REQUEST);
            WorkflowClient.start(order::run, OrderState.accepted(REQUEST, true));
            fixture.awaitStatus(order, OrderStatus.NEW);
            fixture.server.skip(day);
            order.report(Samples.report(OrderStatus.EXPIRED, "0"));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.EXPIRED);
            assertThat(fixture.venue.questions).hasSizeBetween(14, 17);
            assertThat(fixture.server.billableActions(OrderFixture.id(REQUEST))).isBetween(30, 40);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A session that may have missed a change is asked every five minutes again")
    void asksOftenWithoutStream() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.found.usual(() ->
                    new FindOutcome.Found(Samples.report(OrderStatus.NEW, "0"), fixture.venue.questions.size() < 12));
            fixture.working(REQUEST);
            await().until(() -> {
                fixture.server.skip(Duration.ofMinutes(1));
                return fixture.venue.questions.size() >= 14;
            });
            assertThat(Duration.between(
                            fixture.venue.questions.get(10).at(),
                            fixture.venue.questions.get(11).at()))
                    .isGreaterThan(Duration.ofMinutes(55));
            assertThat(Duration.between(
                            fixture.venue.questions.get(12).at(),
                            fixture.venue.questions.get(13).at()))
                    .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(7));
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A check that no worker answers changes nothing, and the next one is made")
    void unansweredCheckIsRepeated() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.found.nextFailure(new IllegalStateException("the venue does not answer"));
            OrderState end = fixture.end(fixture.working(REQUEST));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.venue.questions).hasSize(2);
            assertThat(fixture.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.DISPATCHED, OrderStatus.NEW, OrderStatus.FILLED);
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("An order with a long history goes on in a new run and loses nothing")
    void continuesAsNew() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.working(REQUEST);
            String firstRun = fixture.runId(REQUEST);
            // On a slow machine the venue is asked meanwhile: its answer could overtake a report.
            fixture.venue.found.usual(() -> {
                throw new IllegalStateException("the broker is unavailable");
            });
            fixture.venue.executions.usual(() -> {
                throw new IllegalStateException("the broker is unavailable");
            });
            for (int i = 1; i <= 50; i++) {
                order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "0." + (100 + i)));
            }
            fixture.awaitFilled(order, "0.15");
            // The server asks for a new run at 4 MiB. A signal that no order knows is cheap.
            for (int i = 0; i < 3; i++) {
                WorkflowStub.fromTyped(order).signal("unknown", "x".repeat(1_500_000));
            }
            // All may have come in one workflow task: the next, for a delayed check, begins with
            // the server's suggestion.
            await().until(() -> {
                fixture.server.skip(OrderPolicies.FIRST_CHECK);
                return !fixture.runId(REQUEST).equals(firstRun);
            });
            fixture.awaitFilled(order, "0.15");
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(1);
            assertThat(end.request()).isEqualTo(REQUEST);
            assertThat(fixture.orders.calls).hasSize(1);
            // A report that comes while the run is handed over repeats the last write; the read
            // model allows for that.
            assertThat(fixture.records.revisions().stream().distinct())
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, 54).boxed().toList());
        }
    }

    @Test
    @Tag("B4")
    @DisplayName(
            "A good-till-canceled order works for days, each run with a small history, and is " + "filled in the end")
    @Timeout(120)
    void orderIsFilledAfterDays() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            Instant filledAt = InMemoryServer.OPEN.plus(Duration.ofDays(2));
            fixture.venue.found.usual(() -> fixture.server.now().isBefore(filledAt)
                    ? FakeVenueControl.found(OrderStatus.NEW, "0")
                    : FakeVenueControl.found(OrderStatus.FILLED, "10"));
            OrderWorkflow order = fixture.working(REQUEST);
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.server.now()).isAfterOrEqualTo(filledAt);
            assertThat(fixture.orders.calls).hasSize(1);
            fixture.assertSeveralSmallRuns(REQUEST);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName(
            "A fill that is told after the cancel, before the order has closed, is booked, and " + "calls for a person")
    void lateWhileItCloses() {
        CompletableFuture<FindOutcome> look = new CompletableFuture<>();
        ExecutionReport late = Samples.report(OrderStatus.PARTIALLY_FILLED, "4")
                .withExecutions(List.of(Samples.execution("e-1", "4")));
        OrderState corrected = OrderState.accepted(REQUEST).corrected(late, FailureCode.LATE_FILL.because("Late."));
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.found.nextFrom(look);
            fixture.records.corrections.next(Optional.of(corrected));
            OrderWorkflow order = fixture.working(REQUEST);
            await().until(() -> fixture.venue.questions.size() == 1);
            order.report(Samples.report(OrderStatus.CANCELED, "0"));
            order.report(late);
            look.complete(FakeVenueControl.found(OrderStatus.NEW, "0"));
            assertThat(fixture.end(order)).isEqualTo(corrected);
            assertThat(fixture.records.late).containsExactly(late);
            assertThat(InMemoryServer.attention(order)).isTrue();
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("An execution that is taken back while the order works calls for a person, whatever " + "comes next")
    void bustedExecutionNeedsAttention() {
        Execution bust = new Execution("e-1", 0, Decimal.of("4"), Decimal.of("100.01"), Samples.ANSWERED, true);
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            order.report(Samples.report(OrderStatus.NEW, "0").withExecutions(List.of(bust)));
            fixture.awaitFilled(order, "0");
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            OrderState end = fixture.end(order);
            assertThat(end.filledQuantity()).hasToString("10");
            assertThat(end.reason()).asString().startsWith("broker: bust: ");
            assertThat(InMemoryServer.attention(order)).isTrue();
        }
    }
}
