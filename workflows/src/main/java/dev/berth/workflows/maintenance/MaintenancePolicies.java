package dev.berth.workflows.maintenance;

import dev.berth.workflows.RetryPolicies;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry policy of the sweep, with its reason. */
final class MaintenancePolicies {
    /** A retry repeats one batch only. */
    static final int BATCH = 100;

    /** Each round of an upgrade reads all tasks. */
    private static final int ROUNDS_PER_MINUTE = 12;

    private MaintenancePolicies() {}

    static int usersPerRound(UpgradeRequest request) {
        return Math.max(1, request.perMinute() / ROUNDS_PER_MINUTE);
    }

    /** Slower rates than one user a round have longer rounds. */
    static Duration upgradeRound(UpgradeRequest request) {
        return Duration.ofMinutes(1).dividedBy(Math.min(ROUNDS_PER_MINUTE, request.perMinute()));
    }

    /** Tried until ECS and Redis answer: no user waits for it. */
    static ActivityOptions upgrade() {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofMinutes(1))
                .setRetryOptions(RetryOptions.newBuilder()
                        .setMaximumInterval(Duration.ofSeconds(10))
                        .build())
                .build();
    }

    /** Not retried: the next sweep follows soon, and a retry must not count as the second sweep. */
    static ActivityOptions find() {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(45))
                .setScheduleToCloseTimeout(Duration.ofSeconds(50))
                .setRetryOptions(RetryPolicies.ONCE)
                .build();
    }

    /** Each drift needs a few quick calls. After three attempts the next sweep continues. */
    static ActivityOptions heal() {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(30))
                .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(3).build())
                .build();
    }

    /** Metrics and a log line must not delay a sweep. */
    static LocalActivityOptions report() {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(5))
                .setRetryOptions(RetryPolicies.ONCE)
                .build();
    }
}
