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

/** The read of a sweep, by the orchestrator's activity, without the heals. */
@WorkflowInterface
public interface DriftSearch {
    @WorkflowMethod
    JsonNode read();

    /** The duration of a read in milliseconds. */
    static double millis(WorkflowClient temporal) {
        return temporal.newWorkflowStub(
                        DriftSearch.class,
                        WorkflowOptions.newBuilder()
                                .setTaskQueue(StubWorkflow.QUEUE)
                                .build())
                .read()
                .path("millis")
                .asDouble();
    }

    final class FindDriftOnce implements DriftSearch {
        @Override
        public JsonNode read() {
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
