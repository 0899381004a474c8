package dev.berth.workflows.webhook;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Sends messages to the servers of users and operators. */
@ActivityInterface
public interface WebhookDelivery {
    /**
     * Makes one attempt; a message or webhook that was removed needs none.
     *
     * @throws io.temporal.failure.ApplicationFailure when the receiver did not answer with 2xx;
     *     {@link dev.berth.workflows.FailureType#WEBHOOK_GONE} when it wants no more
     */
    @ActivityMethod(name = "deliverWebhook")
    void deliver(WebhookMessage message);

    /** Keeps the message in the list of those that were not delivered. Repeatable. */
    @ActivityMethod(name = "giveUpWebhook")
    void giveUp(WebhookMessage message, String reason);
}
