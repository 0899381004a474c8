package dev.berth.workflows.retention;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Archives every order whose time in PostgreSQL is over. A schedule starts it. */
@WorkflowInterface
public interface ArchiveWorkflow {
    String TYPE = "Archive";

    @WorkflowMethod(name = TYPE)
    void run();
}
