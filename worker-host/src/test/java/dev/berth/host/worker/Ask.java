package dev.berth.host.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;

/** A workflow that calls one activity of a worker once and returns its result. */
@WorkflowInterface
public interface Ask {
    String QUEUE = "ask";

    @WorkflowMethod
    JsonNode ask(String queue, String activity, List<JsonNode> arguments);

    /** Its implementation. */
    final class Impl implements Ask {
        @Override
        public JsonNode ask(String queue, String activity, List<JsonNode> arguments) {
            ActivityOptions once = ActivityOptions.newBuilder()
                    .setTaskQueue(queue)
                    .setStartToCloseTimeout(Duration.ofSeconds(30))
                    .setHeartbeatTimeout(Duration.ofSeconds(3))
                    .setRetryOptions(
                            RetryOptions.newBuilder().setMaximumAttempts(1).build())
                    .build();
            return Workflow.newUntypedActivityStub(once).execute(activity, JsonNode.class, arguments.toArray());
        }
    }
}
