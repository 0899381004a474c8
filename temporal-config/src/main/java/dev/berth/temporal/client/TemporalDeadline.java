package dev.berth.temporal.client;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Limits calls to Temporal that a user waits for: Temporal's client retries an unanswered call for
 * a minute.
 */
final class TemporalDeadline {
    /** The server's own limit for a query. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("temporal-deadline").factory());

    private TemporalDeadline() {}

    /**
     * Makes the call and its retries within 10 s.
     *
     * @throws io.grpc.StatusRuntimeException with {@code DEADLINE_EXCEEDED}, itself or as a cause,
     *     after 10 s
     */
    static <T> T call(Supplier<T> call) {
        Context.CancellableContext limited =
                Context.current().withDeadlineAfter(LIMIT.toMillis(), TimeUnit.MILLISECONDS, CLOCK);
        Context previous = limited.attach();
        try {
            return call.get();
        } finally {
            limited.detachAndCancel(previous, null);
        }
    }

    /**
     * The result of a workflow.
     *
     * @param within at least a millisecond
     * @throws TimeoutException when it takes longer
     * @throws io.temporal.client.WorkflowFailedException when it ended without one
     */
    static <T> T result(WorkflowStub workflow, Class<T> type, Duration within) throws TimeoutException {
        try {
            return workflow.getResult(Math.max(1, within.toMillis()), TimeUnit.MILLISECONDS, type);
        } catch (WorkflowServiceException failed) {
            // The time may also end within a poll of the server.
            if (failed.getCause() instanceof StatusRuntimeException status
                    && status.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED) {
                throw new TimeoutException("it takes longer than " + within);
            }
            throw failed;
        }
    }
}
