package dev.berth.workflows.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MaintenanceTest {
    private final InMemoryServer server = new InMemoryServer();
    private final FakeMaintenance fleet = new FakeMaintenance();
    private MaintenanceWorkflow sweep;

    @BeforeEach
    void start() {
        server.worker(TaskQueues.FLEET).registerWorkflowImplementationTypes(MaintenanceWorkflowImpl.class);
        server.worker(TaskQueues.FLEET).registerActivitiesImplementations(fleet);
        server.start();
        sweep = server.workflow(MaintenanceWorkflow.class, WorkflowIds.MAINTENANCE, TaskQueues.FLEET);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static List<Drift> drifts(int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        number -> new Drift(DriftKind.MARK_WITHOUT_TASK, new UserId("u" + number), "task-" + number, 0))
                .toList();
    }

    private static SweepView view(List<Drift> drifts) {
        return new SweepView(30, 32, 0, Map.of(DriftKind.MARK_WITHOUT_TASK, drifts.size()), drifts, 10, 41);
    }

    @DisplayName("A10 a fleet without drift is looked at once, and that is all; the words say so")
    @Test
    void allWell() {
        fleet.view = new SweepView(30, 32, 0, Map.of(), List.of(), 10, 41);
        SweepReport report = sweep.run();
        assertThat(report.words()).isEqualTo("Looked at 30 workers and 32 tasks in 41 ms: all well");
        assertThat(fleet.batches).isEmpty();
        assertThat(fleet.reports).containsExactly(report);
    }

    @DisplayName("A10 what drifted is healed in batches of 100, each with the kill budget of the look")
    @Test
    void batches() {
        fleet.view = view(drifts(250));
        SweepReport report = sweep.run();
        assertThat(fleet.batches).extracting(List::size).containsExactlyInAnyOrder(100, 100, 50);
        assertThat(fleet.budgets).containsOnly(10);
        assertThat(report.healed().healed()).isEqualTo(Map.of(DriftKind.MARK_WITHOUT_TASK, 250));
        assertThat(report.words()).contains("250 mark without task (u0, u1, u2, …), healed 250");
    }

    @DisplayName("B5 a batch that fails neither blocks its neighbours nor repeats them, and is told of")
    @Test
    void oneBatchFailsAlone() {
        fleet.view = view(drifts(250));
        fleet.poison = "task-150";
        SweepReport report = sweep.run();
        assertThat(report.healed().healed()).isEqualTo(Map.of(DriftKind.MARK_WITHOUT_TASK, 150));
        assertThat(report.healed().failures()).containsExactly("a batch failed: Temporal was away");
        assertThat(fleet.batches)
                .as("the failing one thrice, the others once")
                .hasSize(5)
                .filteredOn(batch -> batch.getFirst().subject().equals("task-100"))
                .hasSize(3);
        assertThat(report.words()).contains("healed 150").contains("a batch failed");
    }

    @DisplayName("X6 a read that fails ends the sweep without action, and is not tried again by it")
    @Test
    void aFailedReadProvesNothing() {
        fleet.view = view(drifts(3));
        fleet.readable = false;
        SweepReport report = sweep.run();
        assertThat(report.view()).isNull();
        assertThat(report.words()).isEqualTo("Could not look, so nothing was done: ECS did not answer page 3");
        assertThat(fleet.looks).hasValue(1);
        assertThat(fleet.batches).isEmpty();
        assertThat(fleet.reports).hasSize(1);
    }

    @DisplayName("X6 what was not stopped for the kill budget is said")
    @Test
    void words() {
        Drift drift = new Drift(DriftKind.UNOWNED_TASK, null, "task-1", 0);
        SweepView one = new SweepView(1, 3, 2, Map.of(DriftKind.UNOWNED_TASK, 1), List.of(drift), 0, 7);
        assertThat(SweepWords.of(one, new HealOutcome(Map.of(), 0, 0, 1, List.of())))
                .isEqualTo("Looked at 1 workers and 3 tasks in 7 ms: 1 task of nobody (task-1), healed 0;"
                        + " 2 suspected, looked at again by the next sweep;"
                        + " 1 not stopped, since the kill budget of this minute is used up");
    }
}
