package dev.berth.workflows.worker;

import dev.berth.workflows.LaunchPriority;
import dev.berth.workflows.RetryPolicies;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserGroup;
import io.temporal.activity.ActivityOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Every time-out of a hand-over, with its why. */
final class HandOverPolicies {
    /** A request to hand over is repeated within it while its reason lasts. */
    static final Duration REQUEST = Duration.ofSeconds(90);

    /** After no host had room for the successor, or it did not become idle. */
    static final Duration RETRY = Duration.ofSeconds(15);

    /** The successor starts within a second locally, in some ten seconds on a known host. */
    static final Duration SUCCESSOR_CHECK = Duration.ofMillis(500);

    /** An order is sent within a fraction of it; the reservation of the successor is longer. */
    static final Duration QUIET_CHECK = Duration.ofMillis(200);

    /**
     * An order that is sent again and again, or a question without an answer, delays a hand-over
     * for so long; then the process counts as dead. Many times the longest call of a broker.
     */
    static final Duration LONGEST_REFUSAL = Duration.ofMinutes(10);

    /** One attempt to launch a successor: while launches wait, the worker goes on as it is. */
    private static final Duration SUCCESSOR_LAUNCH = Duration.ofSeconds(20);

    private HandOverPolicies() {}

    /** A successor: behind every user who has no worker, before the pool. */
    static ActivityOptions runSuccessor(@Nullable UserGroup group) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.LAUNCH)
                .setStartToCloseTimeout(WorkerPolicies.LAUNCH_CALL)
                .setScheduleToCloseTimeout(SUCCESSOR_LAUNCH)
                .setPriority(LaunchPriority.of(3, group))
                .setRetryOptions(RetryPolicies.ONCE)
                .build();
    }
}
