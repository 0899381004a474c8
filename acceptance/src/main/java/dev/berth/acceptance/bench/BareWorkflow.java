package dev.berth.acceptance.bench;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.time.Instant;

/** The baseline: a workflow with one activity on another process's queue, and nothing else. */
@WorkflowInterface
public interface BareWorkflow {
    String WORKFLOWS = "bench-bare";
    String ACTIVITIES = "bench-bare-activity";

    @WorkflowMethod
    String run();

    /** What the other process does. */
    @ActivityInterface
    interface Moment {
        /** Tells when it was called. */
        String now();
    }

    /** Runs the activity once. */
    final class Impl implements BareWorkflow {
        private final Moment moment = Workflow.newActivityStub(
                Moment.class,
                ActivityOptions.newBuilder()
                        .setTaskQueue(ACTIVITIES)
                        .setStartToCloseTimeout(Duration.ofSeconds(10))
                        .build());

        @Override
        public String run() {
            return moment.now();
        }
    }

    /** By this process's wall clock. */
    final class Clock implements Moment {
        @Override
        public String now() {
            return Instant.now().toString();
        }
    }
}
