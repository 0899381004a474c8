package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Steps.Step;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final String QUEUE = "steps";

    @WorkflowInterface
    public interface Stepping {
        @WorkflowMethod
        int run(int steps);

        @SignalMethod
        void more(int steps);
    }

    /** Has so many steps to do, one after the other, and never fewer when they are negative. */
    public static final class SteppingImpl implements Stepping {
        private int left;
        private int done;
        private final Steps steps = new Steps(List.of(
                Step.when(() -> left != 0, () -> {
                    left -= Integer.signum(left) > 0 ? 1 : 0;
                    done++;
                }),
                new Step(now -> now.plusSeconds(60), () -> {})));

        @Override
        public int run(int first) {
            left = first;
            steps.runWhile(() -> done < 15_000);
            return done;
        }

        @Override
        public void more(int steps) {
            left = steps;
        }
    }

    private static Stepping start(InMemoryServer server, String id, int steps) {
        server.worker(QUEUE).registerWorkflowImplementationTypes(SteppingImpl.class);
        server.start();
        Stepping stepping = server.workflow(Stepping.class, id, QUEUE);
        WorkflowClient.start(stepping::run, steps);
        return stepping;
    }

    @Test
    @DisplayName("Steps without a wait between them fail the workflow task, and do not hold a thread for ever")
    void endlessStepsFailWorkflowTask() {
        try (InMemoryServer server = new InMemoryServer()) {
            start(server, "endless", -1);
            await().until(() -> server.history("endless").stream()
                    .filter(HistoryEvent::hasWorkflowTaskFailedEventAttributes)
                    .anyMatch(failed -> failed.toString().contains("10000 steps in one workflow task")));
        }
    }

    @Test
    @DisplayName("However many steps a workflow has over its life, each workflow task counts its own")
    void eachWorkflowTaskCounts() {
        try (InMemoryServer server = new InMemoryServer()) {
            Stepping stepping = start(server, "long", 8_000);
            server.skip(Duration.ofSeconds(1));
            stepping.more(8_000);
            assertThat(server.result(stepping, Integer.class)).isEqualTo(15_000);
            assertThat(server.history("long")).noneMatch(HistoryEvent::hasWorkflowTaskFailedEventAttributes);
        }
    }
}
