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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Executions that the venue's stream did not tell. */
class MissingExecutionsTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(1));
    private static final Execution FOUR = Samples.execution("e-1", "4");
    private static final Execution SIX = Samples.execution("e-2", "6");

    private static ExecutionReport report(OrderStatus status, String filled, Execution... told) {
        return Samples.report(status, filled).withExecutions(List.of(told));
    }

    @Test
    @Tag("B4")
    @DisplayName("An order that is filled and no worker told of its executions asks for them, and is " + "over by then")
    void filledOrderAsksForExecutions() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            CompletableFuture<FindOutcome> executions = new CompletableFuture<>();
            fixture.venue.executions.nextFrom(executions);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.venue.ledgerQuestions.size() == 1);
            assertThat(fixture.records.statuses()).endsWith(OrderStatus.FILLED);
            executions.complete(FakeVenueControl.executions(FOUR, SIX));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.records.late).containsExactly(report(OrderStatus.FILLED, "10", FOUR, SIX));
            assertThat(InMemoryServer.attention(order)).isNull();
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("Who was told of all executions, however often, is not asked")
    void nothingIsMissing() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            order.report(report(OrderStatus.PARTIALLY_FILLED, "4", FOUR));
            order.report(report(OrderStatus.PARTIALLY_FILLED, "4", FOUR));
            order.report(report(OrderStatus.FILLED, "10", SIX));
            fixture.end(order);
            assertThat(fixture.venue.ledgerQuestions).isEmpty();
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("The one of several executions that was not told is asked for")
    void oneIsMissing() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.executions.next(FakeVenueControl.executions(FOUR, SIX));
            OrderWorkflow order = fixture.resting(REQUEST);
            order.report(report(OrderStatus.FILLED, "10", SIX));
            fixture.end(order);
            assertThat(fixture.venue.ledgerQuestions).hasSize(1);
            assertThat(fixture.records.late).containsExactly(report(OrderStatus.FILLED, "10", FOUR, SIX));
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("Each version is asked for what it lacks")
    void ofAVersion() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.replaced.next(FakeVenueControl.replaced("4"));
            fixture.venue.executions.next(new FindOutcome.Found(
                    FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "4").withExecutions(List.of(FOUR))));
            OrderWorkflow order = fixture.resting(REQUEST);
            order.replace(new Replacement(Decimal.of("10"), null, null));
            order.report(FakeVenueControl.report(1, OrderStatus.FILLED, "6")
                    .withExecutions(List.of(new Execution("e-2", 1, Decimal.of("6"), SIX.price(), SIX.at(), false))));
            fixture.end(order);
            assertThat(fixture.venue.ledgerQuestions)
                    .extracting(FakeVenueControl.Question::version)
                    .containsExactly(0);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A worker that is unavailable is asked again, and no more once the stream told after all")
    void streamedExecutionsEndAsking() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.executions.nextFailure(new IllegalStateException("no session is open"));
            CompletableFuture<FindOutcome> second = new CompletableFuture<>();
            fixture.venue.executions.nextFrom(second);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.venue.ledgerQuestions.size() == 2);
            ExecutionReport told = report(OrderStatus.FILLED, "10", FOUR, SIX);
            order.report(told);
            second.completeExceptionally(new IllegalStateException("no session is open"));
            fixture.end(order);
            assertThat(fixture.venue.ledgerQuestions).hasSize(2);
            assertThat(fixture.records.late).containsExactly(told);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("When no worker can say the order ends all the same, after minutes")
    void nobodyCanSay() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.executions.usual(() -> {
                throw new IllegalStateException("no session is open");
            });
            assertThat(fixture.run(REQUEST).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.venue.ledgerQuestions).hasSize(OrderPolicies.EXECUTION_QUERIES);
            assertThat(Duration.between(
                            fixture.venue.ledgerQuestions.getFirst().at(),
                            fixture.venue.ledgerQuestions.getLast().at()))
                    .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
        }
    }
}
