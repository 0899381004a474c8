package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.FindOutcome.Absent;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import io.temporal.activity.Activity;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WithStartWorkflowOperation;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cancel answers when it has had its effect, or when it came too late. */
class CancelTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));

    @Test
    @Tag("E3")
    @DisplayName("An order that no worker has taken is canceled without one")
    void pendingOrderIsCanceledWithoutWorker() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(REQUEST);
            OrderState end = order.cancel();
            assertThat(end.status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(end.finalAt()).isBefore(REQUEST.submittedAt().plusSeconds(30));
            assertThat(fixture.venue.cancels).isEmpty();
            assertThat(fixture.end(order)).isEqualTo(end);
        }
    }

    @Test
    @Tag("B5")
    @DisplayName("A person who cancels the workflow itself cancels the order, and its end is recorded")
    void theWorkflowIsCanceled() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(REQUEST);
            WorkflowStub.fromTyped(order).cancel();
            // Temporal closes such a workflow as canceled, without a result.
            assertThatThrownBy(() -> fixture.end(order)).isInstanceOf(WorkflowFailedException.class);
            assertThat(order.state().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.records.revisions()).contains(order.state().revision());
        }
    }

    @Test
    void canceledBeforeItsFirstTask() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.server
                    .client()
                    .newWorkflowStub(
                            OrderWorkflow.class,
                            WorkflowOptions.newBuilder()
                                    .setWorkflowId(OrderFixture.id(REQUEST))
                                    .setTaskQueue(TaskQueues.ORDERS)
                                    .setWorkflowIdConflictPolicy(
                                            WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL)
                                    .build());
            OrderState end = WorkflowClient.executeUpdateWithStart(
                    order::cancel,
                    UpdateOptions.<OrderState>newBuilder().build(),
                    new WithStartWorkflowOperation<>(order::run, OrderState.accepted(REQUEST)));
            assertThat(end.status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.orders.calls).isEmpty();
        }
    }

    @Test
    void aWorkerThatSentNothingEndsIt() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFrom(inHand);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.orders.calls.size() == 1);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            fixture.awaitUpdates(REQUEST, 1);
            inHand.complete(new Declined(Cause.CANCELED));
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @Tag("T3")
    @DisplayName("An order whose worker names a mass cancel is canceled, also when its terms were to change")
    void massCancelAtGateCancels() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFrom(inHand);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.orders.calls.size() == 1);
            CompletableFuture<OrderState> replacing =
                    OrderFixture.replace(order, new Replacement(Decimal.of("3"), null, null));
            fixture.awaitUpdates(REQUEST, 1);
            inHand.complete(new Declined(Cause.CANCELED, FailureCode.NOT_REPLACED.because("a mass cancel")));
            assertThat(replacing.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    void anOrderInHandIsWaitedForAndThenCanceledAtTheVenue() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFrom(inHand);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.orders.calls.size() == 1);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            fixture.awaitUpdates(REQUEST, 1);
            assertThat(order.state().status()).isEqualTo(OrderStatus.PENDING);
            inHand.complete(FakeVenueOrders.answered(OrderStatus.NEW, "0"));
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.venue.cancels).containsExactly(new CancelOrder(REQUEST, 0));
        }
    }

    @Test
    void anOrderThatWorksAtTheVenueIsPendingCancelAndThenCanceled() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            fixture.end(order);
            assertThat(fixture.records.statuses())
                    .endsWith(OrderStatus.NEW, OrderStatus.PENDING_CANCEL, OrderStatus.CANCELED);
        }
    }

    @Test
    @Tag("D11")
    @DisplayName("An order that rests and is canceled before its first check takes at most 8 billable actions")
    void billableActions() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(FakeVenueOrders.answered(OrderStatus.NEW, "0"));
            OrderWorkflow order = fixture.prepare(REQUEST);
            WorkflowClient.start(order::run, OrderState.accepted(REQUEST, true));
            fixture.awaitStatus(order, OrderStatus.NEW);
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            fixture.end(order);
            assertThat(fixture.server.billableActions(OrderFixture.id(REQUEST))).isBetween(6, 8);
        }
    }

    @Test
    @Tag("E4")
    @DisplayName("A cancel that a worker makes at once asks for none")
    void cancelAsksForNoWorker() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            fixture.end(order);
            assertThat(fixture.requests.asked).isEmpty();
        }
    }

    @Test
    void aFillThatWasFasterIsTheAnswer() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.canceled.next(FakeVenueControl.found(OrderStatus.FILLED, "10"));
            OrderWorkflow order = fixture.working(REQUEST);
            OrderState end = order.cancel();
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.filledQuantity()).hasToString("10");
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("An order of unknown outcome is first found, then canceled at the venue")
    void unknownAndAtTheVenue() {
        CompletableFuture<FindOutcome> answer = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(Activity.wrap(new IOException("connection reset")));
            fixture.venue.found.nextFrom(answer);
            OrderWorkflow order = fixture.begin(REQUEST);
            fixture.awaitStatus(order, OrderStatus.UNKNOWN);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            fixture.awaitUpdates(REQUEST, 1);
            answer.complete(FakeVenueControl.found(OrderStatus.NEW, "0"));
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.venue.cancels).hasSize(1);
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("An order of unknown outcome that the venue proves not to have is canceled, not sent " + "again")
    void unknownAndNotAtTheVenue() {
        CompletableFuture<FindOutcome> answer = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFailure(Activity.wrap(new IOException("connection reset")));
            fixture.venue.found.nextFrom(answer);
            fixture.venue.found.next(new Absent(1));
            OrderWorkflow order = fixture.begin(REQUEST);
            fixture.awaitStatus(order, OrderStatus.UNKNOWN);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            fixture.awaitUpdates(REQUEST, 1);
            answer.complete(new Absent(1));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    void twoCancelsHaveOneEffectAndTheSameAnswer() {
        CompletableFuture<FindOutcome> answer = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.canceled.nextFrom(answer);
            OrderWorkflow order = fixture.resting(REQUEST);
            CompletableFuture<OrderState> one = OrderFixture.cancel(order);
            CompletableFuture<OrderState> other = OrderFixture.cancel(order);
            fixture.awaitUpdates(REQUEST, 2);
            answer.complete(FakeVenueControl.found(OrderStatus.PARTIALLY_FILLED, "4"));
            assertThat(one.join()).isEqualTo(other.join());
            assertThat(one.join().status()).isEqualTo(OrderStatus.PENDING_CANCEL);
            assertThat(one.join().filledQuantity()).hasToString("4");
            assertThat(fixture.venue.cancels).hasSize(1);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName(
            "A cancel whose confirmation was lost is seen by a check after 2 s, however long the " + "order rested")
    void theConfirmationIsLost() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.found.usual(() -> fixture.venue.cancels.isEmpty()
                    ? FakeVenueControl.found(OrderStatus.NEW, "0")
                    : FakeVenueControl.found(OrderStatus.CANCELED, "0"));
            OrderWorkflow order = fixture.working(REQUEST);
            fixture.server.skip(Duration.ofMinutes(20));
            fixture.venue.canceled.next(FakeVenueControl.found(OrderStatus.PENDING_CANCEL, "0"));
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.PENDING_CANCEL);
            Instant pending = fixture.server.now();
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.venue.questions.getLast().at())
                    .isBetween(pending, pending.plus(OrderPolicies.FIRST_CHECK).plusSeconds(15));
        }
    }

    @Test
    @Tag("E4")
    @DisplayName("A cancel that no worker could make asks for one, and is tried again")
    void unansweredCancelIsTriedAgain() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.venue.canceled.nextFailure(new IllegalStateException("the worker is gone"));
            OrderWorkflow order = fixture.resting(REQUEST);
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.venue.cancels).hasSize(2);
            assertThat(fixture.requests.asked).as("a worker that can").isNotEmpty();
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("A cancel that no worker can make for days is made in the end, and each run has a small " + "history")
    @Timeout(300)
    void delayedCancelIsMadeAfterDays() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            Instant back = InMemoryServer.OPEN.plus(Duration.ofDays(2));
            fixture.venue.canceled.usual(() -> {
                if (fixture.server.now().isBefore(back)) {
                    throw new IllegalStateException("the user is suspended");
                }
                return FakeVenueControl.found(OrderStatus.CANCELED, "0");
            });
            OrderWorkflow order = fixture.working(REQUEST);
            var _ = OrderFixture.cancel(order);
            fixture.awaitUpdates(REQUEST, 1);
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.server.now()).isAfterOrEqualTo(back);
            fixture.assertSeveralSmallRuns(REQUEST);
        }
    }

    /** The workflow has heard the cancel, and no worker can make it. */
    private static CompletableFuture<OrderState> cancelInVain(OrderFixture fixture, OrderWorkflow order) {
        fixture.venue.canceled.usual(() -> {
            throw new IllegalStateException("the broker is unavailable");
        });
        CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
        fixture.awaitUpdates(REQUEST, 1);
        return canceling;
    }

    @Test
    @Tag("X15")
    @DisplayName(
            "An order that no worker can cancel for 10 min calls for a person, until a worker hears " + "the cancel")
    void uncanceledOrderNeedsAttention() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            CompletableFuture<OrderState> canceling = cancelInVain(fixture, order);
            fixture.server.skip(Duration.ofMinutes(12));
            await().until(() -> FailureCode.UNANSWERED.isOf(order.state().reason()));
            fixture.venue.canceled.usual(() -> new FindOutcome.Found(ExecutionReport.unfilled(
                    0, OrderStatus.PENDING_CANCEL, "pending_cancel", fixture.server.now(), 1)));
            fixture.server.skip(Duration.ofMinutes(2));
            OrderState heard = canceling.join();
            assertThat(heard.status()).isEqualTo(OrderStatus.PENDING_CANCEL);
            assertThat(heard.reason()).isNull();
        }
    }

    @Test
    @Tag("E6")
    @DisplayName("A cancel that the venue refuses is answered with its reason, and may be asked for again")
    void refusedCancelTellsReason() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            Reason why = FailureCode.NOT_CANCELED.because("The broker refused: order is not cancelable.");
            ExecutionReport asItWas =
                    FakeVenueControl.report(0, OrderStatus.NEW, "0").withReason(why);
            fixture.venue.canceled.next(new FindOutcome.Found(asItWas));
            OrderWorkflow order = fixture.working(REQUEST);
            OrderState refused = order.cancel();
            assertThat(refused.status()).isEqualTo(OrderStatus.NEW);
            assertThat(refused.reason()).isEqualTo(why);
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            fixture.end(order);
            assertThat(fixture.records.statuses())
                    .endsWith(
                            OrderStatus.PENDING_CANCEL,
                            OrderStatus.NEW,
                            OrderStatus.PENDING_CANCEL,
                            OrderStatus.CANCELED);
        }
    }

    @Test
    @Tag("X15")
    @DisplayName("A cancel that the venue does not confirm for 10 min calls for a person, and may be repeated")
    void unconfirmedCancelNeedsAttention() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            FindOutcome pending = FakeVenueControl.found(OrderStatus.PENDING_CANCEL, "0");
            fixture.venue.found.usual(() -> pending);
            fixture.venue.canceled.next(pending);
            OrderWorkflow order = fixture.working(REQUEST);
            assertThat(order.cancel().reason()).isNull();
            fixture.server.skip(Duration.ofMinutes(9));
            assertThat(order.state().reason()).isNull();
            fixture.server.skip(Duration.ofMinutes(2));
            await().until(() -> FailureCode.UNCONFIRMED.isOf(order.state().reason()));
            OrderState end = order.cancel();
            assertThat(end.status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(end.reason()).isNull();
            assertThat(fixture.venue.cancels).hasSize(2);
        }
    }

    @Test
    @Tag("B4")
    @DisplayName("While no worker can cancel an order its fills are heard at once")
    void filledWhileNobodyCancels() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            CompletableFuture<OrderState> canceling = cancelInVain(fixture, order);
            // Right after one of the cancels, 15 s apart by now: the server in memory may lose a
            // task that begins as a timer fires.
            fixture.server.skip(Duration.ofSeconds(121));
            Instant before = fixture.server.now();
            order.report(FakeVenueControl.report(0, OrderStatus.FILLED, "10"));
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.server.now()).isBefore(before.plusSeconds(13));
        }
    }
}
