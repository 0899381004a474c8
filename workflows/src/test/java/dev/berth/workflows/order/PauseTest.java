package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import io.temporal.activity.Activity;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A request or a report ends every pause, and an order that waits for long keeps a small history.
 */
class PauseTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofHours(12));
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    @Test
    @Tag("E3")
    @DisplayName("A cancel ends the pause after a decline at once")
    void cancelEndsDeclinePause() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = declinedForAnHour(fixture);
            Instant before = fixture.server.now();
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.server.now()).isBefore(before.plus(AT_ONCE));
            assertThat(fixture.venue.cancels).isEmpty();
        }
    }

    @Test
    @Tag("E3")
    @DisplayName("Other terms end the pause after a decline at once, and the order is sent under them")
    void replaceEndsDeclinePause() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = declinedForAnHour(fixture);
            fixture.orders.answers.usual(() -> FakeVenueOrders.answered(OrderStatus.FILLED, "12"));
            order.replace(new Replacement(Decimal.of("12"), null, null));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls.getLast().request().quantity()).hasToString("12");
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("A report ends the pause after a decline: the venue has the order, which is not sent again")
    void reportEndsDeclinePause() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = declinedForAnHour(fixture);
            int sent = fixture.orders.calls.size();
            order.report(Samples.report(OrderStatus.FILLED, "10"));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSize(sent);
        }
    }

    /** Its pauses are minutes by then. */
    private static OrderWorkflow declinedForAnHour(OrderFixture fixture) {
        fixture.orders.answers.usual(() -> new Declined(Cause.FENCED));
        OrderWorkflow order = fixture.begin(REQUEST);
        fixture.server.skip(Duration.ofHours(1));
        assertThat(order.state().status()).isEqualTo(OrderStatus.PENDING);
        return order;
    }

    @Test
    @Tag("X3")
    @DisplayName("A fill resolves an order of unknown outcome at once, however long its pauses are")
    void fillEndsUnknownPause() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unknownForAnHour(fixture);
            int asked = fixture.venue.questions.size();
            Instant before = fixture.server.now();
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            fixture.awaitStatus(order, OrderStatus.PARTIALLY_FILLED);
            assertThat(fixture.server.now()).isBefore(before.plus(AT_ONCE));
            assertThat(fixture.venue.questions).hasSize(asked);
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("A cancel ends the pause of an order of unknown outcome: the venue is asked at once")
    void cancelEndsUnknownPause() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unknownForAnHour(fixture);
            fixture.venue.found.usual(() -> FakeVenueControl.found(OrderStatus.NEW, "0"));
            Instant before = fixture.server.now();
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.server.now()).isBefore(before.plus(AT_ONCE));
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("A cancel during the settle time does not shorten the proof that the order is absent")
    void cancelDoesNotShortenSettleTime() {
        CompletableFuture<FindOutcome> first = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(Activity.wrap(new IOException("connection reset")));
            fixture.venue.found.nextFrom(first);
            fixture.venue.found.usual(() -> new FindOutcome.Absent(1));
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.venue.questions.size() == 1);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            fixture.awaitUpdates(REQUEST, 1);
            first.complete(new FindOutcome.Absent(1));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.venue.questions).hasSize(2);
            assertThat(Duration.between(
                            fixture.venue.questions.get(0).at(),
                            fixture.venue.questions.get(1).at()))
                    .isGreaterThanOrEqualTo(OrderPolicies.SETTLE);
        }
    }

    private static OrderWorkflow unknownForAnHour(OrderFixture fixture) {
        fixture.orders.answers.nextFailure(Activity.wrap(new IOException("connection reset")));
        fixture.venue.found.usual(() -> {
            throw new IllegalStateException("the venue does not answer");
        });
        OrderWorkflow order = fixture.begin(REQUEST);
        fixture.awaitStatus(order, OrderStatus.UNKNOWN);
        fixture.server.skip(Duration.ofHours(1));
        assertThat(order.state().status()).isEqualTo(OrderStatus.UNKNOWN);
        return order;
    }

    @Test
    @Tag("E3")
    @Tag("X12")
    @Timeout(180)
    @DisplayName("An order that waits for a day has a small history, goes on in a new run, and is sent once")
    void pendingForADay() {
        OrderRequest patient = Samples.market(Duration.ofHours(25));
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(patient);
            String firstRun = fixture.runId(patient);
            // The server suggests a new run at 4 MiB.
            for (int i = 0; i < 45; i++) {
                order.accountRefused(Samples.SECOND, "x".repeat(100_000));
            }
            await().until(() -> !fixture.runId(patient).equals(firstRun));
            // The test server does not forget the activity that was withdrawn.
            fixture.server.skipBeside(2, Duration.ofHours(24));
            assertThat(order.state().status()).isEqualTo(OrderStatus.PENDING);
            assertThat(fixture.orders.calls).isEmpty();
            WorkerFactory late = fixture.server.startLate(TaskQueues.ordersOf(Samples.ALICE), fixture.orders);
            try {
                assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            } finally {
                late.shutdownNow();
            }
            assertThat(fixture.orders.calls).hasSize(1);
            List<String> runs = fixture.runIds(patient, firstRun);
            assertThat(runs).hasSizeGreaterThan(1);
            assertThat(runs.stream()
                            .map(run -> fixture.server.history(OrderFixture.id(patient), run))
                            .mapToInt(List::size)
                            .sum())
                    .as("events of all runs")
                    .isLessThan(5_000);
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("An order that is declined goes on in a new run under its request, and is sent once")
    void declinedAndContinued() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = declinedForAnHour(fixture);
            continueAsNew(fixture, order);
            fixture.orders.answers.usual(() -> FakeVenueOrders.answered(OrderStatus.FILLED, "10"));
            int declined = fixture.orders.calls.size();
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSizeGreaterThan(declined);
            assertThat(fixture.orders.calls).extracting(SubmitOrder::attempt).doesNotHaveDuplicates();
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("An order of unknown outcome goes on in a new run, and is not sent again")
    void unknownAndContinued() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unknownForAnHour(fixture);
            continueAsNew(fixture, order);
            assertThat(order.state().status()).isEqualTo(OrderStatus.UNKNOWN);
            fixture.venue.found.usual(() -> FakeVenueControl.found(OrderStatus.FILLED, "10"));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    private static void continueAsNew(OrderFixture fixture, OrderWorkflow order) {
        String run = fixture.runId(REQUEST);
        for (int i = 0; i < 45; i++) {
            order.accountRefused(Samples.SECOND, "x".repeat(100_000));
        }
        await().until(() -> {
            fixture.server.skip(Duration.ofMinutes(6));
            return !fixture.runId(REQUEST).equals(run);
        });
    }
}
