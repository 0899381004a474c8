package dev.berth.workflows.order;

import dev.berth.workflows.FailureType;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TimeoutFailure;

/** What the end of {@code submitOrder} means for the order. */
sealed interface SubmissionResult {
    /** The worker came back with an outcome. */
    record AnsweredByWorker(SubmitOutcome outcome) implements SubmissionResult {}

    /** No worker took it before the deadline. */
    record NeverTaken() implements SubmissionResult {}

    /** Canceled while it waited; the server settles that without a worker. */
    record Withdrawn() implements SubmissionResult {}

    /** A worker took it and did not come back: it may have been sent. */
    record Unknown() implements SubmissionResult {}

    static SubmissionResult of(ActivityFailure failure) {
        return switch (failure.getCause()) {
            case TimeoutFailure timeout
            when timeout.getTimeoutType() == TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START -> new NeverTaken();
            // No worker can answer with a cancellation, since the gateway refuses it (a worker
            // declines): this one was never taken.
            case CanceledFailure _ -> new Withdrawn();
            case ApplicationFailure undelivered
            when FailureType.UNDELIVERED.isOf(undelivered) ->
                new AnsweredByWorker(new SubmitOutcome.Declined(SubmitOutcome.Cause.FENCED));
            case null, default -> new Unknown();
        };
    }
}
