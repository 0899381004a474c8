package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An order whose workflow was ended while it was open, carried on by another run. */
class AdoptedOrderTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));
    private static final OrderState ATTEMPTED = OrderState.accepted(REQUEST).attempted(InMemoryServer.OPEN);
    private static final OrderState WORKING = ATTEMPTED.reported(Samples.report(OrderStatus.NEW, "0"));

    private final OrderFixture fixture = OrderFixture.withWorker();

    @AfterEach
    void close() {
        fixture.close();
    }

    private OrderWorkflow adopt(OrderState order) {
        OrderWorkflow adopted = fixture.prepare(REQUEST);
        WorkflowClient.start(adopted::run, order.adopted(InMemoryServer.OPEN));
        return adopted;
    }

    @Test
    @Tag("X3")
    @DisplayName("One that the venue had not answered is asked for first")
    void unansweredOrderIsLookedUpFirst() {
        fixture.venue.found.next(FakeVenueControl.found(OrderStatus.FILLED, "10"));
        assertThat(fixture.end(adopt(ATTEMPTED)).status()).isEqualTo(OrderStatus.FILLED);
        assertThat(fixture.records.statuses()).startsWith(OrderStatus.UNKNOWN);
        assertThat(fixture.orders.calls).isEmpty();
    }

    @Test
    @Tag("X1")
    @DisplayName("One that works at the venue is followed, says why, and is never sent, whichever look-up does "
            + "not find it there")
    void workingOrderIsFollowedAndNeverSent() {
        fixture.venue.found.next(new FindOutcome.Absent(1));
        fixture.venue.found.next(new FindOutcome.Absent(1));
        OrderWorkflow order = adopt(WORKING);
        await().until(() -> !fixture.records.steps.isEmpty());
        fixture.server.skip(Duration.ofMinutes(1));
        assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.FILLED);
        assertThat(fixture.records.steps.getFirst().status()).isEqualTo(OrderStatus.NEW);
        assertThat(fixture.records.steps.getFirst().reason()).asString().startsWith("internal: adopted: ");
        assertThat(fixture.orders.calls).isEmpty();
    }

    @Test
    @Tag("X1")
    @DisplayName("A cancel that its user had asked for goes on")
    void requestedCancelGoesOn() {
        OrderWorkflow order = adopt(WORKING.became(OrderStatus.PENDING_CANCEL, null, InMemoryServer.OPEN));
        assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(fixture.venue.cancels).hasSize(1);
    }

    @Test
    @Tag("X1")
    @DisplayName("It goes on, too, when a report comes before the workflow begins")
    void cancelingAtReport() {
        OrderWorkflow order = fixture.prepare(REQUEST);
        OrderState canceling = WORKING.became(OrderStatus.PENDING_CANCEL, null, InMemoryServer.OPEN);
        BatchRequest both = fixture.server.client().newSignalWithStartRequest();
        both.add(order::run, canceling.adopted(InMemoryServer.OPEN));
        both.add(order::report, FakeVenueControl.report(0, OrderStatus.NEW, "0"));
        fixture.server.client().signalWithStart(both);
        assertThat(fixture.end(order).status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(fixture.venue.cancels).hasSize(1);
    }

    @Test
    @Tag("X1")
    @DisplayName("A replacement that got through, with no worker there to hear of it, is found and " + "followed")
    void replacementIsFoundAndFollowed() {
        fixture.venue.found.next(new FindOutcome.Found(replacedAtVenue("3")));
        fixture.venue.found.next(new FindOutcome.Found(nextVersion("7")));
        OrderWorkflow order = adopt(WORKING.replacing(InMemoryServer.OPEN));
        await().until(() -> fixture.venue.questions.size() == 2);
        fixture.awaitStatus(order, OrderStatus.PARTIALLY_FILLED);
        assertThat(order.state().currentVersion().number()).isEqualTo(1);
        assertThat(order.state().terms().quantity()).isEqualTo(Decimal.of("10"));
        order.report(FakeVenueControl.report(1, OrderStatus.FILLED, "7"));
        OrderState end = fixture.end(order);
        assertThat(end.status()).isEqualTo(OrderStatus.FILLED);
        assertThat(end.filledQuantity()).hasToString("10");
    }

    @Test
    @Tag("X1")
    @DisplayName(
            "When the venue does not know the replacement, another one took its place, and a " + "person is called")
    void unknownReplacementNeedsAttention() {
        fixture.venue.found.next(new FindOutcome.Found(replacedAtVenue("0")));
        fixture.venue.found.next(new FindOutcome.Absent(1));
        OrderWorkflow order = adopt(WORKING.replacing(InMemoryServer.OPEN));
        OrderState end = fixture.end(order);
        assertThat(end.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(end.reason()).asString().startsWith("broker: replaced-elsewhere: ");
        assertThat(InMemoryServer.attention(order)).isTrue();
    }

    private static ExecutionReport replacedAtVenue(String filled) {
        return as(OrderPolicies.REPLACED, FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, filled), null);
    }

    private static ExecutionReport nextVersion(String quantity) {
        return as("new", FakeVenueControl.report(1, OrderStatus.NEW, "0"), Decimal.of(quantity));
    }

    private static ExecutionReport as(String word, ExecutionReport report, @Nullable Decimal quantity) {
        return report.withQuantity(quantity).withVenueStatus(word);
    }
}
