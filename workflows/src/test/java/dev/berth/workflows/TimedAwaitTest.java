package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TimedAwaitTest {
    private static final String QUEUE = "waits";

    @ActivityInterface
    public interface Look {
        @ActivityMethod
        int look();
    }

    @WorkflowInterface
    public interface Waiting {
        @WorkflowMethod
        int await();
    }

    /** A local activity beside the wait ends it, in the workflow task that began both. */
    public static final class WaitingImpl implements Waiting {
        private final Look task = Workflow.newActivityStub(
                Look.class,
                ActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofSeconds(5))
                        .build());
        private final Look look = Workflow.newLocalActivityStub(
                Look.class,
                LocalActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofSeconds(5))
                        .build());

        @Override
        public int await() {
            // By a thread of its own, so that its command is between the timer's and the marker of
            // the local activity.
            Promise<Integer> done = Async.function(() -> {
                int answer = task.look();
                return answer;
            });
            Promise<Integer> seen = Async.function(look::look);
            boolean inTime = TimedAwait.until(Duration.ofMinutes(1), "then it is late", seen::isCompleted);
            return inTime ? seen.get() + done.get() : 0;
        }
    }

    @Test
    @Tag("X12")
    @DisplayName("A wait that a local activity ends in the same workflow task can be replayed")
    void waitEndedInSameTaskIsReplayed() throws Exception {
        try (InMemoryServer server = new InMemoryServer()) {
            var worker = server.worker(QUEUE);
            worker.registerWorkflowImplementationTypes(WaitingImpl.class);
            worker.registerActivitiesImplementations((Look) () -> 7);
            server.start();
            Waiting workflow = server.workflow(Waiting.class, "waiting", QUEUE);
            assertThat(workflow.await()).isEqualTo(14);
            InMemoryServer.replay(server.client().fetchHistory("waiting"), WaitingImpl.class);
        }
    }
}
