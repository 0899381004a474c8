package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import io.temporal.activity.Activity;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The history is replayed at its end: what is not deterministic fails. */
@Tag("X12")
class ReplayedOrderTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));

    private final OrderFixture fixture = OrderFixture.withWorker();

    @AfterEach
    void replay() {
        try (fixture) {
            fixture.server.replay(OrderFixture.id(REQUEST), OrderWorkflowImpl.class);
        }
    }

    @Test
    @DisplayName("An order is declined, taken, filled in part and canceled")
    void canceledOrderReplays() {
        fixture.orders.answers.next(new Declined(Cause.FENCED));
        OrderWorkflow order = fixture.working(REQUEST);
        order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
        fixture.awaitStatus(order, OrderStatus.PARTIALLY_FILLED);
        fixture.venue.canceled.next(FakeVenueControl.found(OrderStatus.CANCELED, "4"));
        assertThat(order.cancel().status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(fixture.end(order).filledQuantity()).hasToString("4");
        assertThat(fixture.orders.calls).hasSize(2);
    }

    @Test
    @DisplayName("An order is replaced, its replacement is in doubt, found and filled")
    void replacementInDoubtReplays() {
        OrderWorkflow order = fixture.working(REQUEST);
        fixture.venue.replaced.nextFailure(new IllegalStateException("connection reset"));
        fixture.venue.found.next(new FindOutcome.Found(FakeVenueControl.report(1, OrderStatus.NEW, "0")));
        fixture.venue.found.next(new FindOutcome.Found(FakeVenueControl.report(0, OrderStatus.PENDING_REPLACE, "4")));
        assertThat(order.replace(new Replacement(Decimal.of("12"), null, null))
                        .terms()
                        .quantity())
                .hasToString("12");
        order.report(FakeVenueControl.report(1, OrderStatus.FILLED, "8"));
        assertThat(fixture.end(order).filledQuantity()).hasToString("12");
    }

    @Test
    @DisplayName("An order of unknown outcome is proven absent, sent again and filled")
    void unknownOutcomeReplays() {
        fixture.orders.answers.nextFailure(Activity.wrap(new IOException("connection reset")));
        fixture.venue.found.nextFailure(new IllegalStateException("the venue does not answer"));
        fixture.venue.found.next(new FindOutcome.Absent(1));
        fixture.venue.found.next(new FindOutcome.Absent(1));
        assertThat(fixture.run(REQUEST).status()).isEqualTo(OrderStatus.FILLED);
        assertThat(fixture.orders.calls).extracting(SubmitOrder::attempt).containsExactly(1, 2);
    }
}
