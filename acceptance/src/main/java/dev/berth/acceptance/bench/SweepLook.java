package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;

/** A sweep's look, by the orchestrator's own activity, without the heals that would follow. */
@WorkflowInterface
public interface SweepLook {
    @WorkflowMethod
    JsonNode look();

    /** How long one takes, in milliseconds. */
    static double millis(WorkflowClient temporal) {
        return temporal.newWorkflowStub(
                        SweepLook.class,
                        WorkflowOptions.newBuilder().setTaskQueue(StandIn.QUEUE).build())
                .look()
                .path("millis")
                .asDouble();
    }

    /** Looks once. */
    final class Impl implements SweepLook {
        @Override
        public JsonNode look() {
            ActivityOptions once = ActivityOptions.newBuilder()
                    .setTaskQueue("fleet")
                    .setStartToCloseTimeout(Duration.ofMinutes(2))
                    .setRetryOptions(
                            RetryOptions.newBuilder().setMaximumAttempts(1).build())
                    .build();
            return Workflow.newUntypedActivityStub(once).execute("findDrift", JsonNode.class);
        }
    }
}
