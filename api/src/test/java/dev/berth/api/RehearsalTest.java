package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.temporal.TemporalConnection;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.order.OrderWorkflowImpl;
import dev.berth.workflows.worker.WorkerLifecycleWorkflowImpl;
import io.temporal.api.history.v1.History;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    private TestWorkflowEnvironment temporal;
    private Rehearsal rehearsal;

    @BeforeEach
    void start() {
        TestEnvironmentOptions options = TestEnvironmentOptions.newBuilder()
                .setWorkflowClientOptions(WorkflowClientOptions.newBuilder()
                        .setDataConverter(TemporalConnection.DATA_CONVERTER)
                        .build())
                .setWorkerFactoryOptions(TemporalConnection.factory(WorkerFactoryOptions.newBuilder())
                        .build())
                .build();
        temporal = TestWorkflowEnvironment.newInstance(options);
        temporal.newWorker(TaskQueues.FLEET).registerWorkflowImplementationTypes(WorkerLifecycleWorkflowImpl.class);
        temporal.newWorker(TaskQueues.ORDERS).registerWorkflowImplementationTypes(OrderWorkflowImpl.class);
        rehearsal = new Rehearsal(temporal.getWorkerFactory(), () -> {});
    }

    @AfterEach
    void stop() {
        temporal.close();
    }

    @DisplayName("A4 the claim and the order that a process rehearses with are those of the workflows' code")
    @Test
    void replays() throws IOException {
        temporal.start();
        assertThatCode(() -> rehearsal.replay(TaskQueues.FLEET, Rehearsal.read("worker.json")))
                .doesNotThrowAnyException();
        assertThatCode(() -> rehearsal.replay(TaskQueues.ORDERS, Rehearsal.read("order.json")))
                .doesNotThrowAnyException();
    }

    @DisplayName("A4 a history that is not of the queue's workflows is found out")
    @Test
    void foreign() throws IOException {
        temporal.start();
        History worker = Rehearsal.read("worker.json");
        assertThatThrownBy(() -> rehearsal.replay(TaskQueues.ORDERS, worker)).hasMessageContaining("WorkerLifecycle");
    }
}
