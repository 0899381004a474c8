package dev.berth.workflows.maintenance;

import dev.berth.workflows.Retries;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry of the sweep, with its why. */
final class MaintenancePolicies {
    /** One that fails repeats no others. */
    static final int BATCH = 100;

    private MaintenancePolicies() {}

    /** Never tried again: the next sweep comes soon, and a second look must not count as a second proof. */
    static ActivityOptions look() {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(45))
                .setScheduleToCloseTimeout(Duration.ofSeconds(50))
                .setRetryOptions(Retries.ONCE)
                .build();
    }

    /** Each drift of a batch is a few quick calls. What fails thrice is left to the next sweep. */
    static ActivityOptions heal() {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(30))
                .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(3).build())
                .build();
    }

    /** Metrics and a log line must not hold a sweep up. */
    static LocalActivityOptions report() {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(5))
                .setRetryOptions(Retries.ONCE)
                .build();
    }
}
