package dev.berth.workflows.order;

import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Makes the order that is replayed by every later build. */
@EnabledIfSystemProperty(named = "berth.record-histories", matches = "true")
class OrderHistoryRecorder {
    @Test
    void record() throws IOException {
        OrderRequest request = Samples.market(Duration.ofMinutes(10));
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.orders.answers.next(new Declined(Cause.FENCED));
            at.orders.answers.nextFailure(ApplicationFailure.newFailure("connection reset", "java.io.IOException"));
            at.venue.found.next(FakeVenueControl.found(OrderStatus.NEW, "0"));
            OrderWorkflow order = at.begin(request);
            at.awaitStatus(order, OrderStatus.NEW);
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            at.awaitStatus(order, OrderStatus.PARTIALLY_FILLED);
            at.venue.canceled.next(FakeVenueControl.found(OrderStatus.CANCELED, "4"));
            order.cancel();
            write(at, order, request, "order");
        }
    }

    @Test
    void recordReplaced() throws IOException {
        OrderRequest request = Samples.market(Duration.ofMinutes(10));
        try (OrderFixture at = OrderFixture.withWorker()) {
            OrderWorkflow order = at.working(request);
            order.replace(new Replacement(Decimal.of("12"), null, null));
            at.venue.found.usual(() -> FakeVenueControl.found(OrderStatus.NEW, "0"));
            order.report(FakeVenueControl.report(1, OrderStatus.REJECTED, "0"));
            at.awaitStatus(order, OrderStatus.NEW);
            at.venue.canceled.usual(() -> {
                throw new IllegalStateException("the broker is away");
            });
            CompletableFuture<OrderState> canceling = OrderFixture.cancel(order);
            at.awaitUpdates(request, 2);
            at.server.skip(OrderPolicies.CALL_AFTER.plusMinutes(1));
            order.report(Samples.report(OrderStatus.PARTIALLY_FILLED, "4"));
            at.awaitFilled(order, "4");
            at.venue.canceled.usual(() -> FakeVenueControl.found(OrderStatus.CANCELED, "4"));
            at.server.skip(Duration.ofMinutes(2));
            canceling.join();
            write(at, order, request, "order-replaced");
        }
    }

    @Test
    void recordRewritten() throws IOException {
        OrderRequest request = Samples.market(Duration.ofMinutes(10));
        CompletableFuture<SubmitOutcome> answer = new CompletableFuture<>();
        try (OrderFixture at = OrderFixture.withWorker()) {
            at.records.reachable.nextFailures(6, new IllegalStateException("PostgreSQL is away"));
            at.orders.answers.nextFrom(answer);
            OrderWorkflow order = at.begin(request);
            await().until(() -> at.records.tried.contains(OrderStatus.PENDING));
            answer.complete(FakeVenueOrders.answered(OrderStatus.FILLED, "10"));
            write(at, order, request, "order-rewritten");
        }
    }

    private static void write(OrderFixture at, OrderWorkflow order, OrderRequest request, String name)
            throws IOException {
        at.end(order);
        String history =
                at.server.client().fetchHistory(OrderFixture.id(request)).toJson(true);
        Files.writeString(Path.of("src/test/resources/histories/" + name + ".json"), history + "\n");
    }
}
