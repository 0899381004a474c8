package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.Samples;
import dev.berth.workflows.WorkflowIds;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lifecycle outlives every bound on the length of a history. */
class LongLifeTest {
    @Test
    @DisplayName("X12 after 2,000 signals a lifecycle goes on in a new run and loses nothing")
    void continuesAsNew() {
        try (WorkerFixture at = new WorkerFixture()) {
            WorkerState before = at.active();
            String firstRun = runId(at);
            for (int i = 0; i < WorkerPolicies.SIGNALS_PER_RUN; i++) {
                at.worker.taskStopped("arn:aws:ecs:eu-central-1:1:task/berth/other", "scaled in");
            }
            await().until(() -> !runId(at).equals(firstRun));
            assertThat(at.worker.state()).isEqualTo(before);
            at.worker.taskStopped(FakeWorkerTasks.arn(1), "killed");
            WorkerState state = at.awaitState(now -> now.epoch() == 2 && now.phase() == WorkerPhase.ACTIVE);
            assertThat(state.deaths()).isEqualTo(1);
        }
    }

    private static String runId(WorkerFixture at) {
        return at.server
                .client()
                .newUntypedWorkflowStub(WorkflowIds.worker(Samples.ALICE))
                .describe()
                .getExecution()
                .getRunId();
    }
}
