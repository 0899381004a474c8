package dev.berth.workflows.maintenance;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** One sweep of the whole fleet, which covers lost events. A schedule starts the sweep. */
@WorkflowInterface
public interface MaintenanceWorkflow {
    String TYPE = "Maintenance";

    @WorkflowMethod(name = TYPE)
    SweepReport run();
}
