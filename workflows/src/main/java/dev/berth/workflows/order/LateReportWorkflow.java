package dev.berth.workflows.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Records reports of an order that is over: a fill that came late, or a bust. */
@WorkflowInterface
public interface LateReportWorkflow {
    String TYPE = "LateReport";

    /** Ends when every report is recorded; the next one starts it again. */
    @WorkflowMethod(name = TYPE)
    void run(UserId userId, ClientOrderId clientOrderId);

    /** A repeated report changes nothing. */
    @SignalMethod
    void report(ExecutionReport report);
}
