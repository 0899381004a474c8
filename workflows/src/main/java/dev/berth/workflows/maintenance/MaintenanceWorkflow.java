package dev.berth.workflows.maintenance;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** One sweep over the whole fleet: the backstop for every event that was lost. A schedule starts it. */
@WorkflowInterface
public interface MaintenanceWorkflow {
    String TYPE = "Maintenance";

    @WorkflowMethod(name = TYPE)
    SweepReport run();
}
