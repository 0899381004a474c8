package dev.berth.workflows.position;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** The close itself. Its id is the account's, so that one runs at a time. */
@WorkflowInterface
public interface ExclusiveCloseWorkflow {
    String TYPE = "ExclusiveClose";

    /** Fails as {@link ClosePositionsWorkflow#run}. */
    @WorkflowMethod(name = TYPE)
    CloseReport run(CloseRequest request);
}
