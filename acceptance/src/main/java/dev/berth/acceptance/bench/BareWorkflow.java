package dev.berth.acceptance.bench;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.time.Instant;

/** The baseline: a workflow with one activity in another process. */
@WorkflowInterface
public interface BareWorkflow {
    String WORKFLOWS = "bench-bare";
    String ACTIVITIES = "bench-bare-activity";

    @WorkflowMethod
    String run();

    @ActivityInterface
    interface BareActivity {
        /** Returns the time of the call. */
        String now();
    }

    final class OneActivityWorkflow implements BareWorkflow {
        private final BareActivity activity = Workflow.newActivityStub(
                BareActivity.class,
                ActivityOptions.newBuilder()
                        .setTaskQueue(ACTIVITIES)
                        .setStartToCloseTimeout(Duration.ofSeconds(10))
                        .build());

        @Override
        public String run() {
            return activity.now();
        }
    }

    final class WallClock implements BareActivity {
        @Override
        public String now() {
            return Instant.now().toString();
        }
    }
}
