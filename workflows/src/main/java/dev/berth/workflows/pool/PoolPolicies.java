package dev.berth.workflows.pool;

import dev.berth.workflows.TaskQueues;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.Priority;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry of the pool, with its why. */
final class PoolPolicies {
    /** A refill that was missed is made up for after this long. */
    static final Duration ROUND = Duration.ofMinutes(5);
    /** Without room, what is missing is asked for again after this long: the scaling group may have added a host. */
    static final Duration NO_ROOM = Duration.ofSeconds(10);
    /** ECS starts at most this many tasks in one call. */
    static final int RUN_TASK_LIMIT = 10;

    /** The SDK tries a local activity once when it has neither a number of attempts nor a schedule-to-close. */
    private static final int UNTIL_IT_SUCCEEDS = Integer.MAX_VALUE;

    private PoolPolicies() {}

    static LocalActivityOptions count() {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(10))
                .setRetryOptions(RetryOptions.newBuilder()
                        .setMaximumInterval(Duration.ofSeconds(10))
                        .setMaximumAttempts(UNTIL_IT_SUCCEEDS)
                        .build())
                .build();
    }

    /** Users come first: a refill waits behind every launch for one. */
    static ActivityOptions run() {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.LAUNCH)
                .setStartToCloseTimeout(Duration.ofSeconds(60))
                .setPriority(Priority.newBuilder().setPriorityKey(5).build())
                .setRetryOptions(RetryOptions.newBuilder()
                        .setMaximumInterval(Duration.ofSeconds(30))
                        .build())
                .build();
    }
}
