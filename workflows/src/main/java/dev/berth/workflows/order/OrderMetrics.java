package dev.berth.workflows.order;

import com.uber.m3.util.Duration;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How long orders take, and how they end. The SDK counts nothing twice in a replay. */
final class OrderMetrics {
    private static final String STEP = "berth_order_step";
    private static final String FINAL = "berth_orders_final";

    private OrderMetrics() {}

    /** Records the venue's first answer, and the end. */
    static void record(OrderState before, OrderState next) {
        if (before.acknowledgedAt() == null && next.acknowledgedAt() != null) {
            time("dispatch", next.request().submittedAt(), next.dispatchedAt());
            time("acknowledge", next.dispatchedAt(), next.acknowledgedAt());
        }
        if (next.status().isFinal() && !before.status().isFinal()) {
            Workflow.getMetricsScope()
                    .tagged(Map.of("status", next.status().name()))
                    .counter(FINAL)
                    .inc(1);
        }
    }

    private static void time(String step, @Nullable Instant from, @Nullable Instant to) {
        if (from != null && to != null) {
            // The clocks of API, worker and venue differ.
            long millis = Math.max(0, java.time.Duration.between(from, to).toMillis());
            Workflow.getMetricsScope().tagged(Map.of("step", step)).timer(STEP).record(Duration.ofMillis((double)
                    millis));
        }
    }
}
