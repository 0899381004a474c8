package dev.berth.workflows.webhook;

import dev.berth.workflows.RetryPolicies;
import dev.berth.workflows.TaskQueues;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.Priority;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry policy of webhooks, with its reason. */
final class WebhookPolicies {
    /** The receiver has 15 s, DNS included; the rest is for reads and the write in PostgreSQL. */
    private static final Duration ATTEMPT = Duration.ofSeconds(40);
    /** A receiver that is back after a day is asked within this time. */
    private static final Duration LONGEST_PAUSE = Duration.ofHours(3);

    private static final double GROWTH = 3;

    private WebhookPolicies() {}

    static ActivityOptions deliver(WebhookMessage message) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.WEBHOOKS)
                .setPriority(turn(message.owner()))
                .setStartToCloseTimeout(ATTEMPT)
                .setScheduleToCloseTimeout(message.giveUpAfter())
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(message.firstRetry())
                        .setBackoffCoefficient(GROWTH)
                        .setMaximumInterval(LONGEST_PAUSE)
                        .build())
                .build();
    }

    /** Operators first, then the users in turns: one with many attempts delays its own alone. */
    private static Priority turn(WebhookOwner owner) {
        return Priority.newBuilder()
                .setPriorityKey(owner.equals(WebhookOwner.FLEET) ? 1 : 3)
                .setFairnessKey(owner.value())
                .build();
    }

    /** A write to PostgreSQL. */
    static ActivityOptions giveUp(WebhookMessage message) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.WEBHOOKS)
                .setPriority(turn(message.owner()))
                .setStartToCloseTimeout(Duration.ofSeconds(10))
                .setRetryOptions(RetryPolicies.untilItSucceeds(Duration.ofSeconds(1), Duration.ofMinutes(1)))
                .build();
    }
}
