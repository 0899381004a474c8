package dev.berth.workflows.maintenance;

import io.temporal.workflow.Workflow;

/** In rounds of some seconds, each with its share of the rate. */
public final class FleetUpgradeWorkflowImpl implements FleetUpgradeWorkflow {
    private final FleetUpgrade upgrade = Workflow.newActivityStub(FleetUpgrade.class, MaintenancePolicies.upgrade());
    private UpgradePlan plan = UpgradePlan.unknown();

    @Override
    public UpgradePlan run(UpgradeRequest request) {
        if (request.perMinute() == 0) {
            plan = upgrade.plan();
            return plan;
        }
        plan = upgrade.handOver(MaintenancePolicies.usersPerRound(request), request);
        while (plan.remaining() > 0) {
            Workflow.setCurrentDetails("%s workers to hand over to **%s**".formatted(plan.remaining(), plan.target()));
            Workflow.sleep(MaintenancePolicies.upgradeRound(request));
            if (Workflow.getInfo().isContinueAsNewSuggested()) {
                Workflow.continueAsNew(request);
            }
            plan = upgrade.handOver(MaintenancePolicies.usersPerRound(request), request);
        }
        return plan;
    }

    @Override
    public UpgradePlan plan() {
        return plan;
    }
}
