package dev.berth.activities.order;

import dev.berth.temporal.tracing.FinishedSpan;
import dev.berth.temporal.tracing.FinishedSpan.Kind;
import dev.berth.temporal.tracing.SpanExport;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderRecords;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.dao.DataAccessException;

/**
 * Exports an order and its steps as spans once the order is final. Their ids follow from the
 * order's trace, so that an order that is written twice is still one span.
 */
public final class TracedOrderRecords implements OrderRecords {
    private static final Logger LOG = LoggerFactory.getLogger(TracedOrderRecords.class);

    private final OrderRecords records;
    private final OrderReadModel written;
    private final SpanExport spans;

    public TracedOrderRecords(OrderRecords records, OrderReadModel written, SpanExport spans) {
        this.records = records;
        this.written = written;
        this.spans = spans;
    }

    @Override
    public void record(
            UserId userId,
            ClientOrderId clientOrderId,
            List<OrderState> steps,
            List<Execution> executions,
            HistoryPosition from) {
        Optional<OrderState> last = steps.stream().reduce((_, step) -> step);
        Optional<TraceContext> order = last.flatMap(step -> step.request().span());
        order.ifPresent(span -> MDC.put(TraceContext.LOG_FIELD, span.traceId()));
        try {
            records.record(userId, clientOrderId, steps, executions, from);
        } finally {
            MDC.remove(TraceContext.LOG_FIELD);
        }
        if (spans.isOn()) {
            order.filter(TraceContext::sampled)
                    .ifPresent(
                            span -> last.filter(step -> step.status().isFinal()).ifPresent(step -> export(step, span)));
        }
    }

    @Override
    public @Nullable OrderState read(UserId userId, ClientOrderId clientOrderId) {
        return records.read(userId, clientOrderId);
    }

    @Override
    public @Nullable OrderState recordLateReport(UserId userId, ClientOrderId clientOrderId, ExecutionReport report) {
        return records.recordLateReport(userId, clientOrderId, report);
    }

    private void export(OrderState order, TraceContext span) {
        OrderRequest request = order.request();
        try {
            List<OrderState> steps = written.events(request.userId(), request.clientOrderId());
            spans.add(span(
                    span,
                    Optional.ofNullable(request.trace()),
                    "order",
                    order,
                    request.submittedAt(),
                    order.changedAt()));
            for (int index = 0; index < steps.size(); index++) {
                OrderState step = steps.get(index);
                Instant end = steps.get(Math.min(index + 1, steps.size() - 1)).changedAt();
                String name = step.status().name();
                spans.add(span(
                        span.child("step " + step.revision()), Optional.of(span), name, step, step.changedAt(), end));
            }
        } catch (DataAccessException unavailable) {
            LOG.warn("the order's spans are not exported, PostgreSQL does not answer: {}", unavailable.getMessage());
        }
    }

    /** The clocks of workflow and worker differ: no span ends before it starts. */
    private static FinishedSpan span(
            TraceContext context,
            Optional<TraceContext> parent,
            String name,
            OrderState state,
            Instant start,
            Instant end) {
        return new FinishedSpan(
                context,
                parent,
                Kind.INTERNAL,
                name,
                start,
                end.isBefore(start) ? start : end,
                state.status() == OrderStatus.FAILED,
                Map.of(
                        "berth.user_id", state.request().userId().value(),
                        "berth.order_id", state.request().clientOrderId().value(),
                        "berth.order_status", state.status().name()));
    }
}
