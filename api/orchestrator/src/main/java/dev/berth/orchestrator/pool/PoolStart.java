package dev.berth.orchestrator.pool;

import dev.berth.process.PeriodicTask;
import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.PoolOptions;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolState;
import dev.berth.workflows.pool.PoolWorkflow;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * Starts the pool workflow of each group, or signals its size to the running one. Every replica may
 * do so. A terminated workflow is started again.
 */
@Component
class PoolStart extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final WorkflowClient temporal;
    private final Map<UserGroup, PoolSize> sizes = new HashMap<>();
    private final Set<UserGroup> signalled = new HashSet<>();

    PoolStart(WorkflowClient temporal, BerthSettings settings) {
        super("pool-start", EVERY);
        this.temporal = temporal;
        PoolOptions pool = settings.pool();
        sizes.put(UserGroup.DEFAULT, new PoolSize(pool.minimum(), pool.target(), pool.maximumLifetime()));
        settings.groups().forEach((group, options) -> sizes.put(group, options.pool()));
    }

    @Override
    protected void round() {
        sizes.forEach((group, size) -> {
            if (!signalled.contains(group) || !isRunningWorkflow(group)) {
                startOrResize(group, size);
                signalled.add(group);
            }
        });
    }

    private boolean isRunningWorkflow(UserGroup group) {
        try {
            String id = PoolNames.workflowId(group);
            return temporal.newUntypedWorkflowStub(id).describe().getStatus()
                    == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
        } catch (WorkflowNotFoundException none) {
            return false;
        }
    }

    private void startOrResize(UserGroup group, PoolSize size) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(PoolNames.workflowId(group))
                .setTaskQueue(TaskQueues.FLEET)
                .setStaticSummary(group.isDefault() ? "The warm pool" : "The warm pool of " + group)
                .build();
        PoolWorkflow pool = temporal.newWorkflowStub(PoolWorkflow.class, options);
        BatchRequest both = temporal.newSignalWithStartRequest();
        both.add(() -> pool.run(PoolState.of(size)));
        both.add(() -> pool.resize(size));
        temporal.signalWithStart(both);
    }
}
