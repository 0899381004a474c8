package dev.berth.temporal.client;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.account.CancelVenueOrderWorkflow;
import dev.berth.workflows.account.ReadAccountWorkflow;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import io.temporal.failure.TimeoutFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Has workers read accounts, and cancel orders that were made elsewhere. */
public final class AccountWorkflowClient {
    /** A workflow needs so much longer than its activity. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private static final Duration LEAST = Duration.ofSeconds(2);

    private final WorkflowClient temporal;

    public AccountWorkflowClient(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /**
     * Reads an account. Those who ask at the same time share one reading, which begins after each
     * of them has asked.
     *
     * @param within how long to wait for a worker and its broker
     * @return the account is reported as it was at this time, or later
     * @throws io.temporal.client.WorkflowFailedException with the worker's failure, or a time-out
     * @throws TimeoutException when no answer came in time
     */
    public Instant read(UserId userId, AccountKey account, Duration within) throws TimeoutException {
        String id = WorkflowIds.readAccount(userId, account);
        long deadline = System.nanoTime() + within.toNanos();
        boolean beganAfter = false;
        while (!startReading(id, userId, account, left(deadline))) {
            try {
                Instant asOf = result(id, Instant.class, left(deadline));
                if (beganAfter) {
                    return asOf;
                }
            } catch (WorkflowFailedException failed) {
                // Its caller may have had less patience.
                if (beganAfter && !isTimeout(failed)) {
                    throw failed;
                }
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new TimeoutException("no reading began in time");
            }
            // The next one that runs begins after this call.
            beganAfter = true;
        }
        return result(id, Instant.class, left(deadline).plus(MARGIN));
    }

    private static boolean isTimeout(WorkflowFailedException failed) {
        return Stream.<Throwable>iterate(failed, Objects::nonNull, Throwable::getCause)
                .anyMatch(TimeoutFailure.class::isInstance);
    }

    private boolean startReading(String id, UserId userId, AccountKey account, Duration within) {
        ReadAccountWorkflow workflow = temporal.newWorkflowStub(
                ReadAccountWorkflow.class, options(id, userId, within, "reading of " + account.masked()));
        try {
            TemporalDeadline.call(() -> WorkflowClient.start(workflow::run, userId, account, within));
            return true;
        } catch (WorkflowExecutionAlreadyStarted running) {
            return false;
        }
    }

    /**
     * Cancels an order by the venue's id. Joins a cancel of the same order that is under way.
     *
     * @throws io.temporal.client.WorkflowFailedException as {@link #read}
     * @throws TimeoutException as {@link #read}
     */
    public CancelVenueOrderOutcome cancel(UserId userId, AccountKey account, String venueOrderId, Duration within)
            throws TimeoutException {
        String id = WorkflowIds.cancelVenueOrder(userId, account, venueOrderId);
        CancelVenueOrderWorkflow workflow = temporal.newWorkflowStub(
                CancelVenueOrderWorkflow.class, options(id, userId, within, "cancel of an order made elsewhere"));
        try {
            TemporalDeadline.call(() -> WorkflowClient.start(workflow::run, userId, account, venueOrderId, within));
        } catch (WorkflowExecutionAlreadyStarted running) {
            // Its result is this one's.
        }
        return result(id, CancelVenueOrderOutcome.class, within.plus(MARGIN));
    }

    private static WorkflowOptions options(String id, UserId userId, Duration within, String summary) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(id)
                .setTaskQueue(TaskQueues.ORDERS)
                .setWorkflowExecutionTimeout(within.plus(MARGIN))
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, userId.value())
                        .build())
                .setStaticSummary(summary + ", for " + userId)
                .build();
    }

    private <T> T result(String id, Class<T> type, Duration within) throws TimeoutException {
        return TemporalDeadline.result(temporal.newUntypedWorkflowStub(id), type, within);
    }

    /** Never so little that a reading could not succeed: others may share it. */
    private static Duration left(long deadlineNanos) {
        Duration left = Duration.ofNanos(deadlineNanos - System.nanoTime());
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }
}
