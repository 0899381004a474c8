package dev.berth.temporal.client;

import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.maintenance.FleetUpgradeWorkflow;
import dev.berth.workflows.maintenance.UpgradePlan;
import dev.berth.workflows.maintenance.UpgradeRequest;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import java.time.Duration;
import java.util.UUID;

/** Starts, stops and plans the upgrade of the running workers. */
public final class UpgradeWorkflowClient {
    private static final Duration PLAN = Duration.ofSeconds(30);

    private final WorkflowClient temporal;

    public UpgradeWorkflowClient(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /** By a workflow of its own, since only the orchestrator may ask ECS. */
    public UpgradePlan plan() {
        WorkflowOptions options = options(WorkflowIds.UPGRADE + "-plan:" + UUID.randomUUID())
                .setWorkflowExecutionTimeout(PLAN)
                .build();
        return temporal.newWorkflowStub(FleetUpgradeWorkflow.class, options).run(UpgradeRequest.planOnly());
    }

    /** No effect while an upgrade of the same runs: of one user, or of all. */
    public void start(UpgradeRequest request) {
        UserId user = request.user();
        WorkflowOptions options = options(user == null ? WorkflowIds.UPGRADE : WorkflowIds.UPGRADE + ":" + user)
                .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
                .setStaticSummary("Hands the running workers over to the newest task definition")
                .build();
        FleetUpgradeWorkflow upgrade = temporal.newWorkflowStub(FleetUpgradeWorkflow.class, options);
        WorkflowClient.start(upgrade::run, request);
    }

    /** Stops the upgrade of all; no effect when none runs. */
    public void stop() {
        try {
            temporal.newUntypedWorkflowStub(WorkflowIds.UPGRADE).cancel();
        } catch (WorkflowNotFoundException none) {
            // It may have ended a moment ago.
        }
    }

    private static WorkflowOptions.Builder options(String id) {
        return WorkflowOptions.newBuilder().setWorkflowId(id).setTaskQueue(TaskQueues.FLEET);
    }
}
