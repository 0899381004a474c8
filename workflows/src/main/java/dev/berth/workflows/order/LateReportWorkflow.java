package dev.berth.workflows.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Books what a venue tells of an order that is over: a fill that came late, or the bust of one. */
@WorkflowInterface
public interface LateReportWorkflow {
    String TYPE = "LateReport";

    /** Ends when every report is booked; started again by the next one. */
    @WorkflowMethod(name = TYPE)
    void run(UserId userId, ClientOrderId clientOrderId);

    /** Told twice it changes nothing. */
    @SignalMethod
    void report(VenueReport report);
}
