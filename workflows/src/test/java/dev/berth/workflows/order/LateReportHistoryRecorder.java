package dev.berth.workflows.order;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowStub;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Makes the late report that is replayed by every later build. */
@EnabledIfSystemProperty(named = "berth.record-histories", matches = "true")
class LateReportHistoryRecorder {
    @Test
    void record() throws IOException {
        OrderRequest request = Samples.market(Duration.ofMinutes(1));
        ExecutionReport fill =
                Samples.report(OrderStatus.CANCELED, "4").withExecutions(List.of(Samples.execution("e-1", "4")));
        FakeOrderRecords records = new FakeOrderRecords();
        records.corrections.nextFailure(new IllegalStateException("PostgreSQL is unavailable"));
        records.corrections.next(Optional.of(OrderState.accepted(request)));
        try (InMemoryServer server = new InMemoryServer()) {
            var worker = server.worker(TaskQueues.ORDERS);
            worker.registerWorkflowImplementationTypes(LateReportWorkflowImpl.class);
            worker.registerActivitiesImplementations(records);
            String id = WorkflowIds.lateReport(request.userId(), request.clientOrderId());
            LateReportWorkflow late = server.workflow(LateReportWorkflow.class, id, TaskQueues.ORDERS);
            BatchRequest both = server.client().newSignalWithStartRequest();
            both.add(late::run, request.userId(), request.clientOrderId());
            both.add(late::report, fill);
            server.client().signalWithStart(both);
            // Told twice, and changes nothing the second time; before the worker starts, so that
            // one run hears both.
            late.report(fill);
            server.start();
            WorkflowStub.fromTyped(late).getResult(Void.class);
            server.record(id, "late-report");
        }
    }
}
