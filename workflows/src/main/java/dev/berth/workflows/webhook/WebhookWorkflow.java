package dev.berth.workflows.webhook;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Delivers one message. */
@WorkflowInterface
public interface WebhookWorkflow {
    String TYPE = "Webhook";

    /** Ends when the message is delivered or given up. */
    @WorkflowMethod(name = TYPE)
    void run(WebhookMessage message);
}
