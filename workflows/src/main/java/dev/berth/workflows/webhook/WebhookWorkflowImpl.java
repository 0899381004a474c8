package dev.berth.workflows.webhook;

import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;

/** Tries with growing pauses, which the server keeps, and gives up at last. */
public final class WebhookWorkflowImpl implements WebhookWorkflow {
    @Override
    public void run(WebhookMessage message) {
        WebhookDelivery sending = Workflow.newActivityStub(WebhookDelivery.class, WebhookPolicies.deliver(message));
        try {
            sending.deliver(message);
        } catch (ActivityFailure failed) {
            WebhookDelivery keeping = Workflow.newActivityStub(WebhookDelivery.class, WebhookPolicies.giveUp(message));
            keeping.giveUp(message, reason(failed));
        }
    }

    private static String reason(ActivityFailure failed) {
        Throwable cause = failed.getCause();
        // A time-out of the whole has the last answer as its cause.
        while (cause != null && !(cause instanceof ApplicationFailure) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof ApplicationFailure answer
                ? String.valueOf(answer.getOriginalMessage())
                : "no attempt ended within the time";
    }
}
