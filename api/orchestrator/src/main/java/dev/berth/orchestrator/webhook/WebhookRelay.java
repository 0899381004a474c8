package dev.berth.orchestrator.webhook;

import dev.berth.activities.webhook.WebhookBacklog;
import dev.berth.activities.webhook.WebhookStore.Message;
import dev.berth.process.PeriodicTask;
import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.WebhookOptions;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.webhook.WebhookMessage;
import dev.berth.workflows.webhook.WebhookWorkflow;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowOptions;
import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

/**
 * Starts a workflow for each message that PostgreSQL has, owner by owner. Every replica may do so:
 * the message names its workflow, which starts once.
 */
@Component
@Import(WebhookBacklog.class)
class WebhookRelay extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final int BATCH = 100;

    private final WebhookBacklog backlog;
    private final WorkflowClient temporal;
    private final WebhookOptions settings;

    WebhookRelay(WebhookBacklog backlog, WorkflowClient temporal, BerthSettings settings) {
        super("webhook-relay", EVERY);
        this.backlog = backlog;
        this.temporal = temporal;
        this.settings = settings.webhooks();
    }

    @Override
    protected void round() {
        backlog.dropExcess();
        List<Message> messages = backlog.next(BATCH);
        for (Message message : messages) {
            start(message);
            backlog.started(message);
        }
    }

    private void start(Message message) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.webhook(message.owner(), message.webhook(), message.id(), message.round()))
                .setTaskQueue(TaskQueues.FLEET)
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
                .setStaticSummary("Webhook " + message.webhook() + " of " + message.owner() + ": " + message.event())
                .build();
        WebhookWorkflow workflow = temporal.newWorkflowStub(WebhookWorkflow.class, options);
        try {
            WorkflowClient.start(
                    workflow::run,
                    new WebhookMessage(
                            message.owner(),
                            message.webhook(),
                            message.id(),
                            settings.firstRetry(),
                            settings.giveUpAfter()));
        } catch (WorkflowExecutionAlreadyStarted startedBefore) {
            // That it was started was not written in PostgreSQL: the process died before.
        }
    }
}
