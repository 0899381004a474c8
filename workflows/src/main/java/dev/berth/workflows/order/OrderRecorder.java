package dev.berth.workflows.order;

import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.TimedAwait;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the steps of an order beside its story, in order and none twice. The order goes on while
 * PostgreSQL is unavailable; it only ends after everything is written.
 */
final class OrderRecorder {
    private final OrderRecords records = Workflow.newLocalActivityStub(OrderRecords.class, OrderPolicies.write());
    private final OrderRequest order;
    private List<OrderState> steps = new ArrayList<>();
    private List<Execution> executions = new ArrayList<>();
    private boolean writing;

    OrderRecorder(OrderRequest order) {
        this.order = order;
    }

    /** Keeps executions for the next {@link #write}. */
    void add(List<Execution> reported) {
        executions.addAll(reported);
    }

    /** Keeps a step for the next {@link #write}: on the hot path nothing is written. */
    void add(OrderState step) {
        steps.add(step);
    }

    /**
     * The order's row.
     *
     * @return null when it has none, such as while its first step is not written
     * @throws ActivityFailure when PostgreSQL does not answer
     */
    @Nullable
    OrderState read() {
        return records.read(order.userId(), order.clientOrderId());
    }

    /** Begins to write what is kept; returns at once. */
    void write() {
        if (!writing && hasMore()) {
            writing = true;
            // The caller may be canceled, such as a request for a worker; a pause would then take
            // no time.
            Workflow.newDetachedCancellationScope(() -> Async.procedure(this::drain))
                    .run();
        }
    }

    /** Returns when every step is written. */
    void awaitWritten() {
        write();
        Workflow.await(this::isWritten);
    }

    /**
     * What could not be written is written with what came since. With the first answer that is at
     * once: an order that has it no longer counts as active.
     */
    private void drain() {
        ExponentialBackoff pauses = new ExponentialBackoff(OrderPolicies.FIRST_REWRITE, OrderPolicies.LONGEST_REWRITE);
        while (hasMore()) {
            List<OrderState> batch = steps;
            List<Execution> fills = executions;
            steps = new ArrayList<>();
            executions = new ArrayList<>();
            try {
                records.record(order.userId(), order.clientOrderId(), batch, fills, HistoryPosition.now());
                pauses.reset();
            } catch (ActivityFailure unavailable) {
                steps.addAll(0, batch);
                executions.addAll(0, fills);
                TimedAwait.until(pauses.next(), "then write again", () -> isAnswered(steps) && !isAnswered(batch));
            }
        }
        writing = false;
    }

    private static boolean isAnswered(List<OrderState> steps) {
        return !steps.isEmpty() && !steps.getLast().status().isUnanswered();
    }

    boolean isWritten() {
        return !writing && !hasMore();
    }

    private boolean hasMore() {
        return !steps.isEmpty() || !executions.isEmpty();
    }
}
