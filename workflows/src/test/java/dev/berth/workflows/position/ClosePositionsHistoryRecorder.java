package dev.berth.workflows.position;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.PAPER;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.AvailableWorkers;
import io.temporal.worker.Worker;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Makes a close of positions that is replayed by every later build. */
@EnabledIfSystemProperty(named = "berth.record-histories", matches = "true")
class ClosePositionsHistoryRecorder {
    @Test
    void record() throws IOException {
        ModelAccount account = new ModelAccount();
        ModelOrders orders = new ModelOrders(account);
        account.hold("AAPL", "10");
        account.hold("MSFT", "-3");
        account.hold("BTC/USD", "0.25");
        account.order("stop", "AAPL", "sell", "stop", "10");
        account.filledAtCancel.put("stop", "4");
        account.failures = 1;
        orders.refusals.put("MSFT", new RefusedClose("risk-limit", "Too much."));
        orders.busy = 1;
        orders.lostAnswers = 1;
        try (InMemoryServer server = new InMemoryServer()) {
            Worker api = server.worker(TaskQueues.ORDERS);
            api.registerWorkflowImplementationTypes(ClosePositionsWorkflowImpl.class, ExclusiveCloseWorkflowImpl.class);
            api.registerActivitiesImplementations(orders, new AvailableWorkers());
            server.worker(TaskQueues.controlOf(ALICE)).registerActivitiesImplementations(account);
            server.start();
            CloseRequest request = new CloseRequest(ALICE, PAPER, null, "k-1", false, null);
            server.client()
                    .newWorkflowStub(ClosePositionsWorkflow.class, PositionPolicies.start(request))
                    .run(request);
            server.record(WorkflowIds.closePositions(ALICE, PAPER, "k-1"), "close-positions");
            server.record(WorkflowIds.exclusiveClose(ALICE, PAPER), "exclusive-close");
        }
    }
}
