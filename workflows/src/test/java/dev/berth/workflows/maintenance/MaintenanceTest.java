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
import org.junit.jupiter.api.Tag;
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
                .mapToObj(number ->
                        new Drift(DriftKind.HEARTBEAT_WITHOUT_TASK, new UserId("u" + number), "task-" + number, 0))
                .toList();
    }

    private static SweepView view(List<Drift> drifts) {
        return new SweepView(30, 32, 0, Map.of(DriftKind.HEARTBEAT_WITHOUT_TASK, drifts.size()), drifts, 10, 41);
    }

    @Tag("A10")
    @DisplayName("A sweep of a fleet without drift heals nothing")
    @Test
    void fleetWithoutDrift() {
        fleet.view = new SweepView(30, 32, 0, Map.of(), List.of(), 10, 41);
        SweepReport report = sweep.run();
        assertThat(report.text()).isEqualTo("Read 30 workers and 32 tasks in 41 ms: no drift");
        assertThat(fleet.batches).isEmpty();
        assertThat(fleet.reports).containsExactly(report);
    }

    @Tag("A10")
    @DisplayName("Drift is healed in batches of 100, each with the stop budget of the sweep")
    @Test
    void healsInBatches() {
        fleet.view = view(drifts(250));
        SweepReport report = sweep.run();
        assertThat(fleet.batches).extracting(List::size).containsExactlyInAnyOrder(100, 100, 50);
        assertThat(fleet.budgets).containsOnly(10);
        assertThat(report.healed().healed()).isEqualTo(Map.of(DriftKind.HEARTBEAT_WITHOUT_TASK, 250));
        assertThat(report.text()).contains("250 heartbeat without task (u0, u1, u2, …), healed 250");
    }

    @Tag("B5")
    @DisplayName("A failing batch neither blocks nor repeats the others")
    @Test
    void failingBatchAffectsNoOther() {
        fleet.view = view(drifts(250));
        fleet.poison = "task-150";
        SweepReport report = sweep.run();
        assertThat(report.healed().healed()).isEqualTo(Map.of(DriftKind.HEARTBEAT_WITHOUT_TASK, 150));
        assertThat(report.healed().failures()).containsExactly("a batch failed: Temporal was unavailable");
        assertThat(fleet.batches)
                .as("the failing one thrice, the others once")
                .hasSize(5)
                .filteredOn(batch -> batch.getFirst().subject().equals("task-100"))
                .hasSize(3);
        assertThat(report.text()).contains("healed 150").contains("a batch failed");
    }

    @Tag("X6")
    @DisplayName("A failed read ends the sweep without action or retry")
    @Test
    void failedReadEndsSweep() {
        fleet.view = view(drifts(3));
        fleet.readable = false;
        SweepReport report = sweep.run();
        assertThat(report.view()).isNull();
        assertThat(report.text()).isEqualTo("Cannot read the fleet, so nothing was healed: ECS did not answer page 3");
        assertThat(fleet.reads).hasValue(1);
        assertThat(fleet.batches).isEmpty();
        assertThat(fleet.reports).hasSize(1);
    }

    @Tag("X6")
    @DisplayName("The report counts what the stop budget left")
    @Test
    void reportNamesStopBudget() {
        Drift drift = new Drift(DriftKind.UNOWNED_TASK, null, "task-1", 0);
        SweepView one = new SweepView(1, 3, 2, Map.of(DriftKind.UNOWNED_TASK, 1), List.of(drift), 0, 7);
        assertThat(SweepFormatter.of(one, new HealOutcome(Map.of(), 0, 0, 1, List.of())))
                .isEqualTo("Read 1 workers and 3 tasks in 7 ms: 1 task without owner (task-1), healed 0;"
                        + " 2 suspected, to be confirmed by the next sweep;"
                        + " 1 not stopped, since the stop budget of this minute is used up");
    }
}
