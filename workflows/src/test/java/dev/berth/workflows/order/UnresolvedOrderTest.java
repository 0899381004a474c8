package dev.berth.workflows.order;

import static dev.berth.workflows.order.OrderFixture.TO_TWELVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import io.temporal.activity.Activity;
import io.temporal.client.WorkflowUpdateException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Orders at a broker that would take them a second time. */
@Tag("Y7")
class UnresolvedOrderTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofHours(12));
    private static final OrderResolution ABSENT = new OrderResolution(null, "olga: the desk says so");

    /** It was perhaps written, and look-ups do not find it. */
    private static OrderWorkflow unresolved(OrderFixture fixture) {
        fixture.orders.answers.nextFailure(Activity.wrap(new IOException("connection reset")));
        fixture.venue.found.usual(() -> new FindOutcome.Absent(1, true));
        OrderWorkflow order = fixture.begin(REQUEST);
        await().until(() -> !fixture.venue.questions.isEmpty());
        fixture.server.skip(OrderPolicies.SETTLE);
        awaitUnresolved(order);
        return order;
    }

    private static void awaitUnresolved(OrderWorkflow order) {
        await().until(() -> FailureCode.UNRESOLVED.isOf(order.state().reason()));
    }

    @Test
    @DisplayName("An order that no look-up finds is not sent again: a person is called, and the broker asked on")
    void unprovenAbsenceCallsForPerson() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unresolved(fixture);
            fixture.server.skip(Duration.ofDays(1));
            assertThat(order.state().status()).isEqualTo(OrderStatus.UNKNOWN);
            assertThat(fixture.orders.calls).hasSize(1);
            assertThat(fixture.venue.questions).hasSizeBetween(10, 1_000);
            fixture.venue.found.usual(() -> FakeVenueControl.found(OrderStatus.FILLED, "10"));
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("A person who says that the broker does not have it lets it be sent again")
    void absentOrderIsSentAgain() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unresolved(fixture);
            order.resolve(ABSENT);
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSize(2);
        }
    }

    @Test
    @DisplayName("Absent counts only once no earlier worker may send it any more")
    void absenceAwaitsProofOfDeath() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unresolved(fixture);
            fixture.requests.unproven.usual(() -> 1L);
            CompletableFuture<OrderState> resolved =
                    CompletableFuture.supplyAsync(() -> order.resolve(ABSENT), Thread::startVirtualThread);
            fixture.awaitUpdates(REQUEST, 1);
            fixture.server.skip(Duration.ofMinutes(30));
            assertThat(fixture.orders.calls).hasSize(1);
            assertThat(resolved).isNotDone();
            fixture.requests.unproven.usual(() -> 0L);
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
            assertThat(fixture.orders.calls).hasSize(2);
        }
    }

    @Test
    @DisplayName("An order that an earlier worker sent after a person saw none is found, and not sent again")
    void orderSentSinceIsFound() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unresolved(fixture);
            fixture.venue.found.usual(() -> FakeVenueControl.found(OrderStatus.NEW, "0"));
            assertThat(order.resolve(ABSENT).status()).isEqualTo(OrderStatus.NEW);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("The broker's id that a person names finds the order")
    void orderIsFoundUnderVenueOrderId() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unresolved(fixture);
            fixture.venue.found.usual(() -> FakeVenueControl.found(OrderStatus.NEW, "0"));
            OrderState resolved = order.resolve(new OrderResolution("v-77", "olga: seen there"));
            assertThat(resolved.status()).isEqualTo(OrderStatus.NEW);
            assertThat(resolved.reason()).isNull();
            assertThat(fixture.venue.namedVenueOrderIds).containsExactly("v-77");
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("An id that the broker does not know changes nothing but the reason")
    void unknownVenueOrderIdChangesNothing() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unresolved(fixture);
            OrderState refused = order.resolve(new OrderResolution("v-none", "olga: seen there"));
            assertThat(refused.status()).isEqualTo(OrderStatus.UNKNOWN);
            assertThat(Objects.requireNonNull(refused.reason()).text()).contains("v-none");
            assertThat(FailureCode.UNRESOLVED.isOf(refused.reason())).isTrue();
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("A cancel of an order that may be there waits for its outcome, too")
    void cancelWaitsForResolution() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = unresolved(fixture);
            CompletableFuture<OrderState> canceled = OrderFixture.cancel(order);
            fixture.awaitUpdates(REQUEST, 1);
            fixture.server.skip(Duration.ofMinutes(30));
            assertThat(canceled).isNotDone();
            order.resolve(ABSENT);
            assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
            assertThat(fixture.orders.calls).hasSize(1);
        }
    }

    @Test
    @DisplayName("A replacement that no look-up finds calls for a person as well")
    void unprovenReplacementCallsForPerson() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            fixture.venue.replaced.nextFailure(Activity.wrap(new IOException("connection reset")));
            fixture.venue.found.usual(() -> new FindOutcome.Absent(1, true));
            CompletableFuture<OrderState> replaced = OrderFixture.replace(order, TO_TWELVE);
            awaitUnresolved(order);
            fixture.venue.foundVersions.put(0, FakeVenueControl.found(OrderStatus.NEW, "0"));
            order.resolve(ABSENT);
            assertThat(Objects.requireNonNull(replaced.join().reason()).code())
                    .isEqualTo(FailureCode.NOT_REPLACED.because("").code());
            assertThat(order.state().status()).isEqualTo(OrderStatus.NEW);
        }
    }

    @Test
    @DisplayName("An order that waits for no person's word is not resolved by one")
    void otherOrderIsNotResolved() {
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            OrderWorkflow order = fixture.resting(REQUEST);
            for (@Nullable String id : new String[] {null, "v-1"}) {
                assertThatThrownBy(() -> order.resolve(new OrderResolution(id, "olga: why")))
                        .isInstanceOf(WorkflowUpdateException.class);
            }
            assertThat(order.state().status()).isEqualTo(OrderStatus.NEW);
        }
    }
}
