package dev.berth.activities.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.filled;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.tracing.FinishedSpan;
import dev.berth.temporal.tracing.RecordedSpans;
import dev.berth.temporal.tracing.SpanExport;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrderSpansTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private final RecordedSpans exported = new RecordedSpans();

    private static void record(SpanExport spans, OrderState... steps) {
        OrderRequest order = steps[0].request();
        new TracedOrderRecords(
                        new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands()),
                        new OrderReadModel(postgres.client()),
                        spans)
                .record(order.userId(), order.clientOrderId(), List.of(steps), List.of(), HistoryPosition.OUTSIDE);
    }

    @Test
    @Tag("X30")
    @DisplayName(
            "A final order is a span below its request, and each of its steps one below the order, no matter who wrote it")
    void finalOrderIsExported() {
        TraceContext request = TraceContext.start(true);
        OrderState pending =
                OrderState.accepted(order(ALICE, "o-1", NOON).traced(request)).attempted(NOON);
        OrderState filled = pending.reported(filled());
        record(exported, pending);
        assertThat(exported.all()).isEmpty();
        record(exported, filled);
        TraceContext order = request.child("order");
        assertThat(exported.all()).extracting(FinishedSpan::name).containsExactly("order", "PENDING", "FILLED");
        assertThat(exported.all())
                .extracting(FinishedSpan::parent)
                .containsExactly(Optional.of(request), Optional.of(order), Optional.of(order));
        FinishedSpan whole = exported.all().getFirst();
        assertThat(whole.context()).isEqualTo(order);
        assertThat(whole.start()).isEqualTo(NOON);
        assertThat(whole.end()).isEqualTo(filled.changedAt());
        assertThat(exported.all().get(1).end()).isEqualTo(filled.changedAt());
        record(exported, filled);
        assertThat(exported.all().subList(3, 6))
                .as("written again")
                .isEqualTo(exported.all().subList(0, 3));
    }

    @Test
    @Tag("X30")
    @DisplayName("An order without a sampled trace is no span, nor is one without an export")
    void othersAreNotExported() {
        OrderState untraced =
                OrderState.accepted(order(ALICE, "untraced", NOON)).attempted(NOON);
        OrderState unsampled = OrderState.accepted(
                        order(ALICE, "unsampled", NOON).traced(TraceContext.start(false)))
                .attempted(NOON);
        record(exported, untraced, untraced.reported(filled()));
        record(exported, unsampled, unsampled.reported(filled()));
        assertThat(exported.all()).isEmpty();
        OrderState sampled = OrderState.accepted(order(ALICE, "no-export", NOON).traced(TraceContext.start(true)))
                .attempted(NOON);
        record(SpanExport.NONE, sampled, sampled.reported(filled()));
        assertThat(new OrderReadModel(postgres.client())
                        .events(ALICE, sampled.request().clientOrderId()))
                .hasSize(2);
    }
}
