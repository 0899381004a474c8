package dev.berth.workflows.maintenance;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * Hands the running workers over to processes of the task definition that new workers get. The way
 * back is the same: with the earlier definition as the newest. Cancel it to stop; what was handed
 * over stays.
 */
@WorkflowInterface
public interface FleetUpgradeWorkflow {
    String TYPE = "FleetUpgrade";

    /** Returns when every worker runs the target; without a rate, at once. */
    @WorkflowMethod(name = TYPE)
    UpgradePlan run(UpgradeRequest request);

    @QueryMethod
    UpgradePlan plan();
}
