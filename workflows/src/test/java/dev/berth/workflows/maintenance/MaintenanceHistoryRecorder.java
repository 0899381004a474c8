package dev.berth.workflows.maintenance;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Records the history of a sweep. */
@EnabledIfSystemProperty(named = "berth.record-histories", matches = "true")
class MaintenanceHistoryRecorder {
    @Test
    void record() throws IOException {
        List<Drift> drifts = IntStream.range(0, 101)
                .mapToObj(number -> new Drift(DriftKind.FROZEN_WORKER, new UserId("u" + number), "t" + number, 0))
                .toList();
        FakeMaintenance fleet = new FakeMaintenance();
        fleet.view = new SweepView(300, 302, 1, Map.of(DriftKind.FROZEN_WORKER, 101), drifts, 15, 41);
        // Of the two batches the second fails for good.
        fleet.poison = "t100";
        try (InMemoryServer server = new InMemoryServer()) {
            server.worker(TaskQueues.FLEET).registerWorkflowImplementationTypes(MaintenanceWorkflowImpl.class);
            server.worker(TaskQueues.FLEET).registerActivitiesImplementations(fleet);
            server.start();
            server.workflow(MaintenanceWorkflow.class, WorkflowIds.MAINTENANCE, TaskQueues.FLEET)
                    .run();
            server.record(WorkflowIds.MAINTENANCE, "maintenance");
        }
    }
}
