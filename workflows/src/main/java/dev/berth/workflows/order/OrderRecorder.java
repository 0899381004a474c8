package dev.berth.workflows.order;

import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.TimedAwait;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the steps of an order beside its story, in order and none twice. The order goes on while
 * PostgreSQL is unavailable; it only ends after everything is written.
 */
final class OrderRecorder {
    private final OrderRecords records = Workflow.newLocalActivityStub(OrderRecords.class, OrderPolicies.write());
    private final OrderRequest order;
    private Backlog backlog = Backlog.NONE;

    OrderRecorder(OrderRequest order) {
        this.order = order;
    }

    /** Keeps executions for the next {@link #write}. */
    void add(List<Execution> reported) {
        backlog = backlog.with(List.of(), reported);
    }

    /** Keeps a step for the next {@link #write}: on the hot path nothing is written. */
    void add(OrderState step) {
        backlog = backlog.with(List.of(step), List.of());
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
        if (!backlog.writing && backlog.hasMore()) {
            backlog = backlog.withWriting(true);
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
        while (backlog.hasMore()) {
            Backlog batch = backlog;
            backlog = Backlog.NONE.withWriting(true);
            try {
                records.record(
                        order.userId(), order.clientOrderId(), batch.steps, batch.executions, HistoryPosition.now());
                pauses.reset();
            } catch (ActivityFailure unavailable) {
                backlog = batch.with(backlog.steps, backlog.executions);
                TimedAwait.until(pauses.next(), "then write again", () -> backlog.isAnswered() && !batch.isAnswered());
            }
        }
        backlog = Backlog.NONE;
    }

    boolean isWritten() {
        return !backlog.writing && !backlog.hasMore();
    }

    /** What is not written yet, oldest first. */
    private record Backlog(List<OrderState> steps, List<Execution> executions, boolean writing) {
        static final Backlog NONE = new Backlog(List.of(), List.of(), false);

        Backlog with(List<OrderState> newSteps, List<Execution> newExecutions) {
            return new Backlog(
                    Stream.concat(steps.stream(), newSteps.stream()).toList(),
                    Stream.concat(executions.stream(), newExecutions.stream()).toList(),
                    writing);
        }

        Backlog withWriting(boolean now) {
            return new Backlog(steps, executions, now);
        }

        boolean hasMore() {
            return !steps.isEmpty() || !executions.isEmpty();
        }

        boolean isAnswered() {
            return !steps.isEmpty() && !steps.getLast().status().isUnanswered();
        }
    }
}
