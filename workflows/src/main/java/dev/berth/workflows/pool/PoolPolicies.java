package dev.berth.workflows.pool;

import dev.berth.workflows.Retries;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.Priority;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry of the pool, with its why. */
final class PoolPolicies {
    /** A refill that was missed is made up for after this long. */
    static final Duration ROUND = Duration.ofMinutes(5);

    /** While tasks start nobody tells when they are idle. */
    static final Duration STARTING_LOOK = Duration.ofSeconds(5);

    /** From the task to its idle mark; as long as a user's launch may take. */
    static final Duration START = Duration.ofSeconds(90);

    /** A worker that dies younger than this failed to start, even if it was idle for a moment. */
    static final Duration GROWN_UP = Duration.ofSeconds(60);

    /** The scaling group may have added a host meanwhile. */
    static final Duration FIRST_NO_ROOM = Duration.ofSeconds(10);

    static final Duration LAST_NO_ROOM = Duration.ofMinutes(1);

    /** An image that dies at its start must not be started again and again. */
    static final Duration FIRST_FAILURE = Duration.ofSeconds(10);

    static final Duration LAST_FAILURE = Duration.ofMinutes(5);

    /** A claim that came to nothing gives its worker back: what is above the target for less than this is no surplus. */
    static final Duration SURPLUS = Duration.ofSeconds(30);

    /** Below the minimum for so long calls for a person; a burst of claims is made up for sooner. */
    static final Duration SHORT = Duration.ofMinutes(1);

    /** ECS starts at most this many tasks in one call. */
    static final int RUN_TASK_LIMIT = 10;

    private PoolPolicies() {}

    /** Redis, and ECS's quick calls: tried until they answer, with timers between. */
    static LocalActivityOptions quick() {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(10))
                .setRetryOptions(Retries.untilItSucceeds(Duration.ofSeconds(1), Duration.ofSeconds(10)))
                .setLocalRetryThreshold(Duration.ofSeconds(1))
                .build();
    }

    /**
     * Users come first: a refill waits behind every launch for one. After three failures the pool itself pauses, so that
     * it goes on looking meanwhile; held launches are not even tried twice.
     */
    static ActivityOptions run() {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.LAUNCH)
                .setStartToCloseTimeout(Duration.ofSeconds(60))
                .setPriority(Priority.newBuilder().setPriorityKey(5).build())
                .setRetryOptions(RetryOptions.newBuilder()
                        .setMaximumAttempts(3)
                        .setDoNotRetry(WorkerTasks.LAUNCHES_HELD)
                        .build())
                .build();
    }
}
