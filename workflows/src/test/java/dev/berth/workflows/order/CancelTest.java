package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cancel answers when it has had its effect, or when it came too late. */
class CancelTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));

    @Test
    @DisplayName("E3 an order that no worker has taken is canceled without one")
    void pending() {
        try (OrderFixture at = OrderFixture.withoutWorker()) {
            OrderWorkflow order = at.begin(REQUEST);
            OrderState end = order.cancel();
            assertThat(end.status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(end.finalAt()).isBefore(REQUEST.submittedAt().plusSeconds(30));
            assertThat(at.venue.cancels).isEmpty();
            assertThat(at.end(order)).isEqualTo(end);
        }
    }

    @Test
    @DisplayName("B5 whoever cancels the workflow itself cancels the order, and its end is recorded")
    void theWorkflowIsCanceled() {
        try (OrderFixture at = OrderFixture.withoutWorker()) {
            OrderWorkflow order = at.begin(REQUEST);
            WorkflowStub.fromTyped(order).cancel();
            // Temporal closes such a workflow as canceled, without a result.
            assertThatThrownBy(() -> at.end(order)).isInstanceOf(WorkflowFailedException.class);
            assertThat(order.state().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.records.revisions()).contains(order.state().revision());
        }
    }

    @Test
    void canceledBeforeItsFirstTask() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.server
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
            assertThat(at.orders.calls).isEmpty();
        }
    }

    @Test
    void aWorkerThatSentNothingEndsIt() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFrom(inHand);
            OrderWorkflow order = at.begin(REQUEST);
            await().until(() -> at.orders.calls.size() == 1);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            at.awaitUpdates(REQUEST, 1);
            inHand.complete(new Declined(Cause.CANCELED));
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.orders.calls).hasSize(1);
        }
    }

    @Test
    void anOrderInHandIsWaitedForAndThenCanceledAtTheVenue() {
        CompletableFuture<SubmitOutcome> inHand = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFrom(inHand);
            OrderWorkflow order = at.begin(REQUEST);
            await().until(() -> at.orders.calls.size() == 1);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            at.awaitUpdates(REQUEST, 1);
            assertThat(order.state().status()).isEqualTo(OrderStatus.PENDING);
            inHand.complete(FakeVenueOrders.answered(OrderStatus.NEW, "0"));
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.venue.cancels).containsExactly(new CancelOrder(REQUEST, 0));
        }
    }

    @Test
    void anOrderThatWorksAtTheVenueIsPendingCancelAndThenCanceled() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            at.end(order);
            assertThat(at.records.statuses())
                    .endsWith(OrderStatus.NEW, OrderStatus.PENDING_CANCEL, OrderStatus.CANCELED);
        }
    }

    @Test
    void aFillThatWasFasterIsTheAnswer() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.canceled.next(FakeVenueControl.found(OrderStatus.FILLED, "10"));
            OrderWorkflow order = at.working(REQUEST);
            OrderState end = order.cancel();
            assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
            assertThat(end.filledQuantity()).hasToString("10");
        }
    }

    @Test
    @DisplayName("X3 an order of unknown outcome is first found, then canceled at the venue")
    void unknownAndAtTheVenue() {
        CompletableFuture<FindOutcome> answer = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(Activity.wrap(new IOException("connection reset")));
            at.venue.found.nextFrom(answer);
            OrderWorkflow order = at.begin(REQUEST);
            at.awaitStatus(order, OrderStatus.UNKNOWN);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            at.awaitUpdates(REQUEST, 1);
            answer.complete(FakeVenueControl.found(OrderStatus.NEW, "0"));
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.venue.cancels).hasSize(1);
        }
    }

    @Test
    @DisplayName("X3 an order of unknown outcome that the venue proves not to have is canceled, not sent again")
    void unknownAndNotAtTheVenue() {
        CompletableFuture<FindOutcome> answer = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.nextFailure(Activity.wrap(new IOException("connection reset")));
            at.venue.found.nextFrom(answer);
            at.venue.found.next(new Absent(1));
            OrderWorkflow order = at.begin(REQUEST);
            at.awaitStatus(order, OrderStatus.UNKNOWN);
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            at.awaitUpdates(REQUEST, 1);
            answer.complete(new Absent(1));
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.orders.calls).hasSize(1);
        }
    }

    @Test
    void twoCancelsHaveOneEffectAndTheSameAnswer() {
        CompletableFuture<FindOutcome> answer = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.canceled.nextFrom(answer);
            OrderWorkflow order = at.working(REQUEST);
            CompletableFuture<OrderState> one = OrderFixture.cancel(order);
            CompletableFuture<OrderState> other = OrderFixture.cancel(order);
            at.awaitUpdates(REQUEST, 2);
            answer.complete(FakeVenueControl.found(OrderStatus.PARTIALLY_FILLED, "4"));
            assertThat(one.join()).isEqualTo(other.join());
            assertThat(one.join().status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
            assertThat(at.venue.cancels).hasSize(1);
        }
    }

    @Test
    @DisplayName("B4 a cancel whose confirmation was lost is seen by a check after 2 s, however long the order rested")
    void theConfirmationIsLost() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.found.usual(() -> at.venue.cancels.isEmpty()
                    ? FakeVenueControl.found(OrderStatus.NEW, "0")
                    : FakeVenueControl.found(OrderStatus.CANCELED, "0"));
            OrderWorkflow order = at.working(REQUEST);
            at.server.skip(Duration.ofMinutes(20));
            at.venue.canceled.next(FakeVenueControl.found(OrderStatus.PENDING_CANCEL, "0"));
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.PENDING_CANCEL);
            Instant pending = at.server.now();
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.venue.questions.getLast().at())
                    .isBetween(pending, pending.plus(OrderPolicies.FIRST_CHECK).plusSeconds(15));
        }
    }

    @Test
    void aCancelThatNobodyCouldDoIsTriedAgain() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.venue.canceled.nextFailure(new IllegalStateException("the worker is gone"));
            OrderWorkflow order = at.working(REQUEST);
            assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.venue.cancels).hasSize(2);
            assertThat(at.requests.asked).as("a worker that can").hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    @DisplayName("B4 a cancel that nobody can make for days is made in the end, and each run has a small history")
    @Timeout(300)
    void forDays() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            Instant back = InMemoryServer.OPEN.plus(Duration.ofDays(2));
            at.venue.canceled.usual(() -> {
                if (at.server.now().isBefore(back)) {
                    throw new IllegalStateException("the user is suspended");
                }
                return FakeVenueControl.found(OrderStatus.CANCELED, "0");
            });
            OrderWorkflow order = at.working(REQUEST);
            var _ = OrderFixture.cancel(order);
            at.awaitUpdates(REQUEST, 1);
            assertThat(at.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(at.server.now()).isAfterOrEqualTo(back);
            at.assertSeveralSmallRuns(REQUEST);
        }
    }

    /** The workflow has heard the cancel, and nobody can make it. */
    private static CompletableFuture<OrderState> cancelInVain(OrderFixture at, OrderWorkflow order) {
        at.venue.canceled.usual(() -> {
            throw new IllegalStateException("the broker is away");
        });
        CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
        at.awaitUpdates(REQUEST, 1);
        return canceling;
    }

    @Test
    @DisplayName("X15 an order that nobody can cancel for 10 min calls for a person, until somebody hears the cancel")
    void nobodyCancels() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            CompletableFuture<OrderState> canceling = cancelInVain(at, order);
            at.server.skip(Duration.ofMinutes(12));
            await().until(() -> FailureCode.UNANSWERED.isOf(order.state().reason()));
            at.venue.canceled.usual(() -> FakeVenueControl.found(OrderStatus.PENDING_CANCEL, "0"));
            at.server.skip(Duration.ofMinutes(2));
            OrderState heard = canceling.join();
            assertThat(heard.status()).isEqualTo(OrderStatus.PENDING_CANCEL);
            assertThat(heard.reason()).isNull();
        }
    }

    @Test
    @DisplayName("B4 while nobody can cancel an order its fills are heard at once")
    void filledWhileNobodyCancels() {
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(REQUEST);
            CompletableFuture<OrderState> canceling = cancelInVain(at, order);
            at.server.skip(Duration.ofMinutes(2));
            Instant before = at.server.now();
            order.report(FakeVenueControl.report(0, OrderStatus.FILLED, "10"));
            assertThat(canceling.join().status()).isEqualTo(OrderStatus.FILLED);
            assertThat(at.server.now()).isBefore(before.plusSeconds(15));
        }
    }
}
