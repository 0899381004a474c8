package dev.berth.workflows.masscancel;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Cancels the orders of all users that a request covers. */
@WorkflowInterface
public interface FleetMassCancelWorkflow {
    String TYPE = "FleetMassCancel";

    /**
     * Ends when each user's part has ended.
     *
     * @param begun how far earlier runs came
     */
    @WorkflowMethod(name = TYPE)
    FleetMassCancelReport run(FleetMassCancelReport begun);

    /** How far it is. */
    @QueryMethod
    FleetMassCancelReport report();
}
