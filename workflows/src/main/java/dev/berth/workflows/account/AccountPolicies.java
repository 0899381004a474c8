package dev.berth.workflows.account;

import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry policy of calls about an account, with its reason. */
public final class AccountPolicies {
    /** A client that names no time waits so long: a start without a pool worker takes less. */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(20);

    /** A worker takes tasks before its session is open; then the call is tried again. */
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);

    private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);
    /** A process that ends in the middle of a call is noticed so soon. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(3);

    private AccountPolicies() {}

    static ActivityOptions call(UserId userId, Duration within) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.controlOf(userId))
                .setScheduleToCloseTimeout(within)
                .setHeartbeatTimeout(HEARTBEAT)
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(FIRST_RETRY)
                        .setBackoffCoefficient(1.5)
                        .setMaximumInterval(LONGEST_RETRY)
                        .build())
                .build();
    }
}
