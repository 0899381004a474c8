package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.order.OrderDispatch.SubmissionResult;
import io.temporal.api.enums.v1.RetryState;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.ServerFailure;
import io.temporal.failure.TimeoutFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SubmissionResultTest {
    @Test
    @Tag("E3")
    @DisplayName("Only an order that was never taken counts as never taken")
    void scheduleToStartTimeoutMeansNeverTaken() {
        assertThat(end(timeout(TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START)))
                .isEqualTo(new SubmissionResult.NeverTaken());
    }

    @Test
    @Tag("X3")
    @DisplayName("Every other end than an answer or a withdrawal leaves the outcome unknown")
    void otherEndsLeaveOutcomeUnknown() {
        List<Exception> ends = List.of(
                timeout(TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE),
                timeout(TimeoutType.TIMEOUT_TYPE_HEARTBEAT),
                timeout(TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE),
                ApplicationFailure.newFailure("connection reset", "java.io.IOException"),
                ApplicationFailure.newNonRetryableFailure("status 502", "server-error"),
                new ServerFailure("internal", true));
        assertThat(ends).allSatisfy(cause -> assertThat(end(cause)).isEqualTo(new SubmissionResult.Unknown()));
        assertThat(end(null)).isEqualTo(new SubmissionResult.Unknown());
    }

    @Test
    void aCancellationMeansThatNobodyHadTakenIt() {
        assertThat(end(new CanceledFailure("canceled by its user"))).isEqualTo(new SubmissionResult.Withdrawn());
    }

    @Test
    @Tag("X16")
    @DisplayName("An order that the gateway could not deliver was not sent, and is sent again")
    void undeliveredOrderWasNotSent() {
        assertThat(end(FailureType.UNDELIVERED.failure("the worker left")))
                .isEqualTo(
                        new SubmissionResult.AnsweredByWorker(new SubmitOutcome.Declined(SubmitOutcome.Cause.FENCED)));
    }

    private static TimeoutFailure timeout(TimeoutType type) {
        return new TimeoutFailure("time is up", null, type);
    }

    private static SubmissionResult end(@Nullable Throwable cause) {
        return SubmissionResult.of(new ActivityFailure(
                "ended", 5, 6, "submitOrder", "a-1", RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED, "worker", cause));
    }
}
