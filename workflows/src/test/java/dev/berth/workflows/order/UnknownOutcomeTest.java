package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.order.FindOutcome.Absent;
import io.temporal.activity.Activity;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An order that may or may not be at the venue: only the venue's word leads out. */
class UnknownOutcomeTest {
    private final RuntimeException lost = Activity.wrap(new IOException("connection reset"));
    private final RuntimeException unavailable = new IllegalStateException("the venue does not answer");

    @Test
    @Tag("X3")
    @DisplayName(
            "An order whose answer was lost is UNKNOWN until the venue is asked, and is not sent " + "again if found")
    void foundAtTheVenue() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            OrderState end = fixture.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.reason()).isNull();
            assertThat(fixture.orders.calls).hasSize(1);
            assertThat(fixture.venue.questions).hasSize(1);
            assertThat(fixture.venue.questions.getFirst().attempt()).isEqualTo(1);
            assertThat(fixture.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.UNKNOWN, OrderStatus.FILLED);
            assertThat(fixture.records.steps.get(1).reason()).asString().startsWith("broker: outcome-unknown: ");
            assertThat(fixture.requests.asked).as("a worker to ask").isNotEmpty();
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("An order whose worker fell silent in mid-send is not sent again while the venue has " + "it")
    void orderOfSilentWorkerIsNotSentAgain() {
        CompletableFuture<SubmitOutcome> frozen = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFrom(frozen::join);
            ExecutionReport whole =
                    Samples.report(OrderStatus.FILLED, "10").withExecutions(List.of(Samples.execution("e-1", "10")));
            // With its executions: nothing is left to ask for while the frozen call holds the
            // server's clock.
            fixture.venue.found.usual(() -> new FindOutcome.Found(whole));
            OrderState end = fixture.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSize(1);
            assertThat(fixture.records.statuses()).contains(OrderStatus.UNKNOWN);
            frozen.complete(FakeVenueOrders.answered(OrderStatus.FILLED, "10"));
        }
    }

    @Test
    @Tag("X15")
    @DisplayName("An order of which no worker can say for 10 min whether the venue has it calls for a "
            + "person, until one can")
    void nobodyCanSay() {
        OrderRequest request = Samples.market(Duration.ofMinutes(1));
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.venue.found.nextFailures(60, unavailable);
            OrderWorkflow order = fixture.prepare(request);
            WorkflowClient.start(order::run, OrderState.accepted(request));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.reason()).isNull();
            assertThat(fixture.records.steps)
                    .filteredOn(step -> FailureCode.UNANSWERED.isOf(step.reason()))
                    .singleElement()
                    .satisfies(step -> {
                        assertThat(step.status()).isEqualTo(OrderStatus.UNKNOWN);
                        assertThat(step.changedAt())
                                .isBetween(
                                        request.submittedAt().plusSeconds(600),
                                        request.submittedAt().plusSeconds(700));
                    });
            assertThat(InMemoryServer.attention(order))
                    .as("attention, once it is over")
                    .isFalse();
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("One look-up that finds nothing proves nothing: the request may still be on its way")
    void absentOnceThenFound() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.venue.found.next(new Absent(1));
            OrderState end = fixture.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(1);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("An order is sent again only after two look-ups, 10 s apart, found nothing")
    void orderIsSentAgainAfterTwoLookUps() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.venue.found.next(new Absent(1));
            fixture.venue.found.next(new Absent(1));
            OrderState end = fixture.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(2);
            assertThat(fixture.orders.calls).extracting(SubmitOrder::attempt).containsExactly(1, 2);
            assertThat(Duration.between(
                            fixture.venue.questions.get(0).at(),
                            fixture.venue.questions.get(1).at()))
                    .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("Two look-ups count only when nothing stands between them that no worker could answer")
    void anUnansweredQuestionStartsTheProofAnew() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.venue.found.next(new Absent(1));
            fixture.venue.found.nextFailure(unavailable);
            fixture.venue.found.next(new Absent(2));
            OrderState end = fixture.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSize(1);
            assertThat(fixture.venue.questions).hasSize(4);
        }
    }

    @Test
    @Tag("X2")
    @Tag("X3")
    @DisplayName("Absent counts only once no earlier worker is left that is not proven dead; until " + "then UNKNOWN")
    void notProvenDead() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.requests.unproven.next(1L);
            fixture.requests.unproven.next(1L);
            fixture.requests.unproven.next(1L);
            for (int i = 0; i < 5; i++) {
                fixture.venue.found.next(new Absent(2));
            }
            OrderState end = fixture.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.attempts()).isEqualTo(2);
            assertThat(fixture.venue.questions)
                    .as("three that prove nothing, two that agree")
                    .hasSize(5);
            assertThat(fixture.orders.calls).extracting(SubmitOrder::attempt).containsExactly(1, 2);
        }
    }

    @Test
    @Tag("X2")
    @Tag("X3")
    @DisplayName("When no worker can say whether an earlier worker lives, absent proves nothing either")
    void nobodyKnowsWhoLives() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.requests.unproven.nextFailures(3, unavailable);
            fixture.venue.found.next(new Absent(2));
            fixture.venue.found.next(new Absent(2));
            OrderState end = fixture.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).as("found at the third look").isEqualTo(1);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @Tag("E3")
    @DisplayName("An order that surely is not at the venue fails when its deadline has passed " + "meanwhile")
    void absentTwiceAfterTheDeadline() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.venue.found.next(new Absent(1));
            fixture.venue.found.next(new Absent(1));
            OrderState end = fixture.run(Samples.marketSubmittedAt(fixture.server.now(), Duration.ofSeconds(9)));
            assertThat(end.status()).isEqualTo(OrderStatus.FAILED);
            assertThat(end.reason()).asString().startsWith("capacity: not-sent: ");
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("An order stays UNKNOWN, past its deadline too, while no worker can ask the venue")
    void nobodyCanAsk() {
        OrderRequest request = Samples.market(Duration.ofSeconds(5));
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.venue.found.nextFailures(30, unavailable);
            OrderState end = fixture.run(request);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.venue.questions).hasSize(31);
            assertThat(fixture.venue.questions.getLast().at())
                    .isAfter(request.deadline().plusSeconds(20));
            assertThat(fixture.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.UNKNOWN, OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @Tag("E4")
    @DisplayName("An order of unknown outcome outlives requests for a worker that fail")
    void requestsForAWorkerFail() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(lost);
            fixture.requests.reachable.nextFailure(ApplicationFailure.newNonRetryableFailure("no room", "away"));
            assertThat(fixture.run(Samples.market(Duration.ofMinutes(1))).status())
                    .isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.requests.asked).isNotEmpty();
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("Reports that come while the venue is asked count more than its answer that it has nothing")
    void reportsDuringTheLookUp() {
        OrderRequest request = Samples.market(Duration.ofMinutes(1));
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.prepare(request);
            fixture.orders.answers.nextFailure(lost);
            fixture.venue.found.next(new Absent(1));
            fixture.venue.found.nextFrom(() -> {
                order.report(Samples.report(OrderStatus.NEW, "0"));
                return new Absent(1);
            });
            WorkflowClient.start(order::run, OrderState.accepted(request));
            OrderState end = fixture.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(1);
            assertThat(fixture.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.UNKNOWN, OrderStatus.NEW, OrderStatus.FILLED);
        }
    }
}
