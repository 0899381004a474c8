package dev.berth.orchestrator;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.TemporalWorkers;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.OrderWorkflowImpl;
import dev.berth.workflows.worker.WorkerLifecycleWorkflowImpl;
import io.temporal.api.history.v1.History;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkflowWarmUpTest {
    private TestWorkflowEnvironment temporal;
    private WorkflowWarmUp warmUp;

    @BeforeEach
    void start() {
        TestEnvironmentOptions options = TestEnvironmentOptions.newBuilder()
                .setWorkflowClientOptions(TemporalClients.workflows("default", TemporalClients.DATA_CONVERTER)
                        .build())
                .setWorkerFactoryOptions(TemporalWorkers.workflows(WorkerFactoryOptions.newBuilder(), (_, _, _) -> {})
                        .build())
                .build();
        temporal = TestWorkflowEnvironment.newInstance(options);
        temporal.newWorker(TaskQueues.FLEET).registerWorkflowImplementationTypes(WorkerLifecycleWorkflowImpl.class);
        temporal.newWorker(TaskQueues.ORDERS).registerWorkflowImplementationTypes(OrderWorkflowImpl.class);
        warmUp = new WorkflowWarmUp(temporal.getWorkerFactory(), () -> {});
    }

    @AfterEach
    void stop() {
        temporal.close();
    }

    @Tag("A4")
    @DisplayName("Today's workflow code replays the recorded claim and order of the warm-up")
    @Test
    void workflowCodeReplaysRecordings() throws IOException {
        temporal.start();
        assertThatCode(() -> warmUp.replay(TaskQueues.FLEET, WorkflowWarmUp.WORKER, WorkflowWarmUp.read("worker.json")))
                .doesNotThrowAnyException();
        assertThatCode(() -> warmUp.replay(TaskQueues.ORDERS, WorkflowWarmUp.ORDER, WorkflowWarmUp.read("order.json")))
                .doesNotThrowAnyException();
    }

    @Tag("A4")
    @DisplayName("A history of another queue's workflow is refused")
    @Test
    void historyOfOtherQueueIsRefused() throws IOException {
        temporal.start();
        History worker = WorkflowWarmUp.read("worker.json");
        assertThatThrownBy(() -> warmUp.replay(TaskQueues.ORDERS, WorkflowWarmUp.WORKER, worker))
                .hasMessageContaining("WorkerLifecycle");
    }
}
