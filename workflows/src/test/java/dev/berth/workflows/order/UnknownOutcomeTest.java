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
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An order that may or may not be at the venue: only the venue's word leads out. */
class UnknownOutcomeTest {
    private final RuntimeException lost = Activity.wrap(new IOException("connection reset"));
    private final RuntimeException away = new IllegalStateException("the venue does not answer");

    @Test
    @DisplayName(
            "X3 an order whose answer was lost is UNKNOWN until the venue is asked, and is not sent again if found")
    void foundAtTheVenue() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            OrderState end = at.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.reason()).isNull();
            assertThat(at.orders.calls).hasSize(1);
            assertThat(at.venue.questions).hasSize(1);
            assertThat(at.venue.questions.getFirst().attempt()).isEqualTo(1);
            assertThat(at.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.UNKNOWN, OrderStatus.FILLED);
            assertThat(at.records.steps.get(1).reason()).asString().startsWith("broker: outcome-unknown: ");
            assertThat(at.requests.asked).as("a worker to ask").isNotEmpty();
        }
    }

    @Test
    @DisplayName("X3 an order whose worker fell silent in mid-send is not sent again while the venue has it")
    void heartbeatsEnd() {
        CompletableFuture<SubmitOutcome> frozen = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFrom(frozen::join);
            OrderState end = at.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.orders.calls).hasSize(1);
            assertThat(at.records.statuses()).contains(OrderStatus.UNKNOWN);
            frozen.complete(FakeVenueOrders.answered(OrderStatus.FILLED, "10"));
        }
    }

    @Test
    @DisplayName(
            "X15 an order of which nobody can say for 10 min whether the venue has it calls for a person, until one can")
    void nobodyCanSay() {
        OrderRequest request = Samples.market(Duration.ofMinutes(1));
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.venue.found.nextFailures(60, away);
            OrderWorkflow order = at.prepare(request);
            WorkflowClient.start(order::run, OrderState.accepted(request));
            OrderState end = at.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.reason()).isNull();
            assertThat(at.records.steps)
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
    @DisplayName("X3 one look-up that finds nothing proves nothing: the request may still be on its way")
    void absentOnceThenFound() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.venue.found.next(new Absent(1));
            OrderState end = at.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(1);
            assertThat(at.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("X3 an order is sent again only after two look-ups, 10 s apart, found nothing")
    void absentTwice() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.venue.found.next(new Absent(1));
            at.venue.found.next(new Absent(1));
            OrderState end = at.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(2);
            assertThat(at.orders.calls).extracting(SubmitOrder::attempt).containsExactly(1, 2);
            assertThat(Duration.between(
                            at.venue.questions.get(0).at(),
                            at.venue.questions.get(1).at()))
                    .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        }
    }

    @Test
    @DisplayName("X3 two look-ups count only when nothing stands between them that nobody could answer")
    void anUnansweredQuestionStartsTheProofAnew() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.venue.found.next(new Absent(1));
            at.venue.found.nextFailure(away);
            at.venue.found.next(new Absent(2));
            OrderState end = at.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.orders.calls).hasSize(1);
            assertThat(at.venue.questions).hasSize(4);
        }
    }

    @Test
    @DisplayName("X2 X3 absent counts only once no earlier worker is left that is not proven dead; until then UNKNOWN")
    void notProvenDead() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.requests.unproven.next(1L);
            at.requests.unproven.next(1L);
            at.requests.unproven.next(1L);
            for (int i = 0; i < 5; i++) {
                at.venue.found.next(new Absent(2));
            }
            OrderState end = at.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.attempts()).isEqualTo(2);
            assertThat(at.venue.questions)
                    .as("three that prove nothing, two that agree")
                    .hasSize(5);
            assertThat(at.orders.calls).extracting(SubmitOrder::attempt).containsExactly(1, 2);
        }
    }

    @Test
    @DisplayName("X2 X3 when nobody can say whether an earlier worker lives, absent proves nothing either")
    void nobodyKnowsWhoLives() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.requests.unproven.nextFailures(3, away);
            at.venue.found.next(new Absent(2));
            at.venue.found.next(new Absent(2));
            OrderState end = at.run(Samples.market(Duration.ofMinutes(1)));
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).as("found at the third look").isEqualTo(1);
            assertThat(at.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("E3 an order that surely is not at the venue fails when its deadline has passed meanwhile")
    void absentTwiceAfterTheDeadline() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.venue.found.next(new Absent(1));
            at.venue.found.next(new Absent(1));
            OrderState end = at.run(Samples.marketSubmittedAt(at.server.now(), Duration.ofSeconds(9)));
            assertThat(end.status()).isEqualTo(OrderStatus.FAILED);
            assertThat(end.reason()).asString().startsWith("capacity: not-sent: ");
            assertThat(at.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("X3 an order stays UNKNOWN, past its deadline too, while nobody can ask the venue")
    void nobodyCanAsk() {
        OrderRequest request = Samples.market(Duration.ofSeconds(5));
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.venue.found.nextFailures(30, away);
            OrderState end = at.run(request);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.venue.questions).hasSize(31);
            assertThat(at.venue.questions.getLast().at())
                    .isAfter(request.deadline().plusSeconds(20));
            assertThat(at.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.UNKNOWN, OrderStatus.FILLED);
            assertThat(at.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("E4 an order of unknown outcome outlives requests for a worker that fail")
    void requestsForAWorkerFail() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(lost);
            at.requests.reachable.nextFailure(ApplicationFailure.newNonRetryableFailure("no room", "away"));
            assertThat(at.run(Samples.market(Duration.ofMinutes(1))).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.requests.asked).isNotEmpty();
            assertThat(at.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("X3 news that come while the venue is asked count more than its word that it has nothing")
    void newsDuringTheLookUp() {
        OrderRequest request = Samples.market(Duration.ofMinutes(1));
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.prepare(request);
            at.orders.answers.nextFailure(lost);
            at.venue.found.next(new Absent(1));
            at.venue.found.nextFrom(() -> {
                order.report(Samples.report(OrderStatus.NEW, "0"));
                return new Absent(1);
            });
            WorkflowClient.start(order::run, OrderState.accepted(request));
            OrderState end = at.end(order);
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.attempts()).isEqualTo(1);
            assertThat(at.records.statuses())
                    .containsExactly(OrderStatus.PENDING, OrderStatus.UNKNOWN, OrderStatus.NEW, OrderStatus.FILLED);
        }
    }
}
