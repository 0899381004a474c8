package dev.berth.workflows.pool;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.LaunchPriority;
import dev.berth.workflows.RetryPolicies;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserGroup;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry policy of the pool, with its reason. */
final class PoolPolicies {
    /** The pool checks itself this often, in case a refill signal was lost. */
    static final Duration CHECK_EVERY = Duration.ofMinutes(5);

    /** No signal reports that a starting task became idle. */
    static final Duration STARTING_CHECK = Duration.ofSeconds(5);

    /** From the task to its idle heartbeat; as long as a launch for a user may take. */
    static final Duration START = Duration.ofSeconds(90);

    /** A worker that stops earlier failed to start, even if the worker was idle for a moment. */
    static final Duration STABLE_AFTER = Duration.ofSeconds(60);

    /** The clock of an orchestrator, which plans the steps, may be behind Temporal's. */
    static final Duration STEP_CHECK = Duration.ofSeconds(1);

    /** The scaling group may add a host meanwhile. */
    static final Duration NO_CAPACITY_FIRST = Duration.ofSeconds(10);

    static final Duration NO_CAPACITY_LAST = Duration.ofMinutes(1);

    /** An image that fails at its start must not be started again and again. */
    static final Duration FAILURE_FIRST = Duration.ofSeconds(10);

    static final Duration FAILURE_LAST = Duration.ofMinutes(5);

    /**
     * An unanswered claim returns its worker, so a shorter excess over the target is no surplus.
     */
    static final Duration SURPLUS_AFTER = Duration.ofSeconds(30);

    /** A longer shortage needs attention; the pool recovers sooner from a burst of claims. */
    static final Duration SHORTAGE_AFTER = Duration.ofMinutes(1);

    /** Launches that wait beside each other; after them the pool looks again. */
    static final int LAUNCHES_AT_ONCE = 10;

    private PoolPolicies() {}

    /** Quick calls to Redis and ECS: retried until they succeed. */
    static LocalActivityOptions quick() {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(10))
                .setRetryOptions(RetryPolicies.untilItSucceeds(Duration.ofSeconds(1), Duration.ofSeconds(10)))
                .setLocalRetryThreshold(Duration.ofSeconds(1))
                .build();
    }

    /**
     * A refill waits behind every launch for a user. After three failures the pool itself backs
     * off, so that the pool keeps checking meanwhile. While the launch circuit is open, the
     * activity is not retried.
     */
    static ActivityOptions run(UserGroup group) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.LAUNCH)
                .setStartToCloseTimeout(Duration.ofSeconds(60))
                .setPriority(LaunchPriority.of(5, group))
                .setRetryOptions(RetryOptions.newBuilder()
                        .setMaximumAttempts(3)
                        .setDoNotRetry(FailureType.LAUNCH_CIRCUIT_OPEN.code())
                        .build())
                .build();
    }
}
