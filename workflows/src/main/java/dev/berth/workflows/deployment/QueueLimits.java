package dev.berth.workflows.deployment;

import java.time.Duration;

/**
 * Times of a queue of SQS, on this machine as in a cloud account.
 *
 * @param visibility how long a received message is invisible to other readers
 * @param retention after which a message is gone
 */
public record QueueLimits(Duration visibility, Duration retention) {
    /** A claim is void after 2 s; what was not taken in 5 min must not be acted on. */
    public static final QueueLimits POOL_CLAIM = new QueueLimits(Duration.ofSeconds(10), Duration.ofMinutes(5));

    /** The orchestrator may be unavailable for days: each event only causes a look at ECS. */
    public static final QueueLimits TASK_EVENTS = new QueueLimits(Duration.ofSeconds(10), Duration.ofDays(4));
}
