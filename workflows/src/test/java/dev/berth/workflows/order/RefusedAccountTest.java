package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowFailedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Orders of an account whose credentials are refused. */
@Tag("E12")
@Tag("D6")
class RefusedAccountTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofHours(1));
    private static final Reason REFUSAL = OrderFailures.credentialsRefused(Samples.PAPER, "wrong key");

    private static void assertRefused(OrderState order) {
        assertThat(order.status()).isEqualTo(OrderStatus.FAILED);
        assertThat(order.reason()).hasToString(REFUSAL.toString());
        assertThat(order.finalAt()).isBefore(InMemoryServer.OPEN.plusSeconds(30));
    }

    @Test
    @DisplayName("A waiting order fails at once, with the reason that the broker gave")
    void waitingOrderFailsAtOnce() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            OrderWorkflow order = fixture.begin(REQUEST);
            order.accountRefused(Samples.SECOND, "no such account");
            order.accountRefused(Samples.PAPER, "wrong key");
            assertRefused(fixture.end(order));
        }
    }

    @Test
    @DisplayName("An order that no notice reached learns it when it asks for its worker")
    void learntByAsking() {
        try (OrderFixture fixture = OrderFixture.withoutWorker()) {
            fixture.requests.refusal = REFUSAL;
            OrderWorkflow order = fixture.begin(REQUEST);
            fixture.server.skipBeside(1, Duration.ofSeconds(2));
            assertRefused(fixture.end(order));
        }
    }

    @Test
    @DisplayName("An order that its worker declined for want of a session fails without another try")
    void declinedOrderFailsAtOnce() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(new Declined(Cause.NO_SESSION));
            fixture.requests.refusal = REFUSAL;
            assertRefused(fixture.run(REQUEST));
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("An order that is being sent ends as the venue says")
    void sentOrderIsNotRefused() {
        CompletableFuture<SubmitOutcome> answer = new CompletableFuture<>();
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.nextFrom(answer);
            OrderWorkflow order = fixture.begin(REQUEST);
            await().until(() -> fixture.orders.calls.size() == 1);
            order.accountRefused(Samples.PAPER, "wrong key");
            await().until(() -> fixture.server.history(OrderFixture.id(REQUEST)).stream()
                    .anyMatch(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED));
            answer.complete(FakeVenueOrders.answered(OrderStatus.FILLED, "10"));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
        }
    }

    @Test
    @Tag("X2")
    @DisplayName("An order under another order's id fails before anything is sent")
    void idAndArgumentsAgree() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow foreign =
                    fixture.server.workflow(OrderWorkflow.class, "order:mallory:o-1", TaskQueues.ORDERS);
            assertThatThrownBy(() -> foreign.run(OrderState.accepted(REQUEST)))
                    .isInstanceOf(WorkflowFailedException.class)
                    .hasRootCauseMessage(
                            "message='The workflow order:mallory:o-1 was started with arguments of"
                                    + " order:alice:o-1. Start it under that id.', type='wrong-workflow-id', nonRetryable=true");
            assertThat(fixture.orders.calls).isEmpty();
        }
    }
}
