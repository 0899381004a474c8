package dev.berth.workflows.order;

import dev.berth.workflows.Samples;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Makes the order that is replayed by every later build. */
@EnabledIfSystemProperty(named = "berth.record-histories", matches = "true")
class OrderHistoryRecorder {
    @Test
    void record() throws IOException {
        OrderRequest request = Samples.market(Duration.ofMinutes(10));
        try (OrderFixture fixture = OrderFixture.withWorker()) {
            fixture.orders.answers.next(new Declined(Cause.FENCED));
            fixture.orders.answers.nextFailure(
                    ApplicationFailure.newFailure("connection reset", "java.io.IOException"));
            fixture.venue.found.next(FakeVenueControl.found(OrderStatus.NEW, "0"));
            OrderWorkflow order = fixture.begin(request);
            fixture.awaitStatus(order, OrderStatus.NEW);
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            fixture.awaitStatus(order, OrderStatus.PARTIALLY_FILLED);
            fixture.venue.canceled.next(FakeVenueControl.found(OrderStatus.CANCELED, "4"));
            order.cancel();
            fixture.end(order);
            fixture.server.record(OrderFixture.id(request), "order");
        }
    }
}
