package dev.berth.workflows.masscancel;

import dev.berth.workflows.UserId;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Cancels one user's orders that a request covers. */
@WorkflowInterface
public interface MassCancelWorkflow {
    String TYPE = "MassCancel";

    /**
     * Ends when each order is over or refused, or after {@link MassCancelPolicies#LONGEST}: then
     * the orders that remain have the cancel still requested.
     */
    @WorkflowMethod(name = TYPE)
    MassCancelReport run(UserId userId, MassCancel request);

    /** How far it is. */
    @QueryMethod
    MassCancelReport report();
}
