package dev.berth.host.tracing;

import dev.berth.temporal.gateway.GatewayMessages.SpanRequest;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.order.OrderRequest;
import io.temporal.activity.Activity;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * A span of an order that is under way. The gateway exports it: the process needs no library of
 * OpenTelemetry, and reaches no further address.
 */
public record Span(TraceContext context, Receiver receiver) {
    private static final ScopedValue<Span> CURRENT = ScopedValue.newInstance();

    /** Where spans go that are over. */
    @FunctionalInterface
    public interface Receiver {
        /** Must not block. */
        void finished(SpanRequest span);
    }

    /** The span that this thread works for. */
    public static Optional<Span> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** Runs the current activity as a span of its order. */
    public static <T> T ofActivity(OrderRequest order, Receiver receiver, Supplier<T> work) {
        return order.span()
                .map(span -> new Span(span, receiver)
                        .call(Activity.getExecutionContext().getInfo().getActivityType(), false, work::get))
                .orElseGet(work);
    }

    /** The same task; on another thread, it works for the span that is current here. */
    public static Runnable inherited(Runnable task) {
        return current()
                .<Runnable>map(span -> () -> ScopedValue.where(CURRENT, span).run(task))
                .orElse(task);
    }

    /**
     * Runs work as a span below this one.
     *
     * @param name one of few: no ids
     * @param isClient whether the work waits for another server
     */
    public <T, X extends Throwable> T call(String name, boolean isClient, ScopedValue.CallableOp<? extends T, X> work)
            throws X {
        Instant start = Instant.now();
        TraceContext child = context.child();
        String earlier = MDC.get(TraceContext.LOG_FIELD);
        MDC.put(TraceContext.LOG_FIELD, child.traceId());
        boolean failed = true;
        try {
            T result = ScopedValue.where(CURRENT, new Span(child, receiver)).call(work);
            failed = false;
            return result;
        } finally {
            restore(earlier);
            if (child.sampled()) {
                // The clock may have been set back.
                Instant now = Instant.now();
                Instant end = now.isBefore(start) ? start : now;
                receiver.finished(new SpanRequest(child, context, name, isClient, start, end, failed));
            }
        }
    }

    private static void restore(@Nullable String earlier) {
        if (earlier == null) {
            MDC.remove(TraceContext.LOG_FIELD);
        } else {
            MDC.put(TraceContext.LOG_FIELD, earlier);
        }
    }
}
