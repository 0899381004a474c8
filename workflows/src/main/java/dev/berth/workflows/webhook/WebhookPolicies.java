package dev.berth.workflows.webhook;

import dev.berth.workflows.RetryPolicies;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry policy of webhooks, with its reason. */
final class WebhookPolicies {
    /** An attempt ends by itself after 15 s; DNS may take longer. */
    private static final Duration ATTEMPT = Duration.ofSeconds(40);
    /** A receiver that is back after a day is asked within this time. */
    private static final Duration LONGEST_PAUSE = Duration.ofHours(3);

    private static final double GROWTH = 3;

    private WebhookPolicies() {}

    static ActivityOptions deliver(WebhookMessage message) {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(ATTEMPT)
                .setScheduleToCloseTimeout(message.giveUpAfter())
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(message.firstRetry())
                        .setBackoffCoefficient(GROWTH)
                        .setMaximumInterval(LONGEST_PAUSE)
                        .build())
                .build();
    }

    /** A write to PostgreSQL. */
    static ActivityOptions giveUp() {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(10))
                .setRetryOptions(RetryPolicies.untilItSucceeds(Duration.ofSeconds(1), Duration.ofMinutes(1)))
                .build();
    }
}
