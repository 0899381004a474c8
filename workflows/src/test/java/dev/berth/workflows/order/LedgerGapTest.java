package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Executions that the venue's stream did not tell. */
class LedgerGapTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(1));
    private static final Execution FOUR = Samples.execution("e-1", "4");
    private static final Execution SIX = Samples.execution("e-2", "6");

    private static VenueReport report(OrderStatus status, String filled, Execution... told) {
        return Samples.report(status, filled).with(List.of(told));
    }

    @Test
    @DisplayName("B4 an order that is filled and nobody told of its executions asks for them, and is over by then")
    void asks() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            CompletableFuture<FindOutcome> executions = new CompletableFuture<>();
            at.venue.executions.nextFrom(executions);
            OrderWorkflow order = at.begin(REQUEST);
            await().until(() -> at.venue.ledgerQuestions.size() == 1);
            assertThat(at.records.statuses()).endsWith(OrderStatus.FILLED);
            executions.complete(FakeVenueControl.executions(FOUR, SIX));
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.records.late).containsExactly(report(OrderStatus.FILLED, "10", FOUR, SIX));
            assertThat(InMemoryServer.attention(order)).isNull();
        }
    }

    @Test
    @DisplayName("B4 who was told of all executions, however often, is not asked")
    void nothingIsMissing() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            order.report(report(OrderStatus.PARTIALLY_FILLED, "4", FOUR));
            order.report(report(OrderStatus.PARTIALLY_FILLED, "4", FOUR));
            order.report(report(OrderStatus.FILLED, "10", SIX));
            at.end(order);
            assertThat(at.venue.ledgerQuestions).isEmpty();
        }
    }

    @Test
    @DisplayName("B4 the one of several executions that was not told is asked for")
    void oneIsMissing() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.executions.next(FakeVenueControl.executions(FOUR, SIX));
            OrderWorkflow order = at.working(REQUEST);
            order.report(report(OrderStatus.FILLED, "10", SIX));
            at.end(order);
            assertThat(at.venue.ledgerQuestions).hasSize(1);
            assertThat(at.records.late).containsExactly(report(OrderStatus.FILLED, "10", FOUR, SIX));
        }
    }

    @Test
    @DisplayName("B4 each leg is asked for what it lacks")
    void ofALeg() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.replaced.next(FakeVenueControl.replaced("4"));
            at.venue.executions.next(new FindOutcome.Found(
                    FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "4").with(List.of(FOUR))));
            OrderWorkflow order = at.working(REQUEST);
            order.replace(new Replacement(Decimal.of("10"), null, null));
            order.report(FakeVenueControl.report(1, OrderStatus.FILLED, "6")
                    .with(List.of(new Execution("e-2", 1, Decimal.of("6"), SIX.price(), SIX.at(), false))));
            at.end(order);
            assertThat(at.venue.ledgerQuestions)
                    .extracting(FakeVenueControl.Question::leg)
                    .containsExactly(0);
        }
    }

    @Test
    @DisplayName("B4 a worker that is away is asked again, and no more once the stream told after all")
    void toldMeanwhile() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.executions.nextFailure(new IllegalStateException("no session is open"));
            CompletableFuture<FindOutcome> second = new CompletableFuture<>();
            at.venue.executions.nextFrom(second);
            OrderWorkflow order = at.begin(REQUEST);
            await().until(() -> at.venue.ledgerQuestions.size() == 2);
            VenueReport told = report(OrderStatus.FILLED, "10", FOUR, SIX);
            order.report(told);
            second.completeExceptionally(new IllegalStateException("no session is open"));
            at.end(order);
            assertThat(at.venue.ledgerQuestions).hasSize(2);
            assertThat(at.records.late).containsExactly(told);
        }
    }

    @Test
    @DisplayName("B4 when nobody can say the order ends all the same, after minutes")
    void nobodyCanSay() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.executions.usual(() -> {
                throw new IllegalStateException("no session is open");
            });
            assertThat(at.run(REQUEST).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.venue.ledgerQuestions).hasSize(OrderPolicies.LEDGER_ASKS);
            assertThat(Duration.between(
                            at.venue.ledgerQuestions.getFirst().at(),
                            at.venue.ledgerQuestions.getLast().at()))
                    .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
        }
    }
}
