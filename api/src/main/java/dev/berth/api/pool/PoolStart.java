package dev.berth.api.pool;

import dev.berth.api.BerthSettings;
import dev.berth.api.PeriodicTask;
import dev.berth.api.Roles;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolState;
import dev.berth.workflows.pool.PoolWorkflow;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import java.time.Duration;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Starts the pool workflow, or signals its size to the running one. Every replica may do so. A
 * terminated workflow is started again.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class PoolStart extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final WorkflowClient temporal;
    private final PoolSize size;
    private boolean signalled;

    PoolStart(WorkflowClient temporal, BerthSettings settings) {
        super("pool-start", EVERY);
        this.temporal = temporal;
        PoolOptions pool = settings.pool();
        this.size = new PoolSize(pool.minimum(), pool.target(), pool.maximumLifetime());
    }

    @Override
    protected void round() {
        if (!signalled || !isRunningWorkflow()) {
            startOrResize();
            signalled = true;
        }
    }

    private boolean isRunningWorkflow() {
        try {
            return temporal.newUntypedWorkflowStub(WorkflowIds.POOL).describe().getStatus()
                    == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
        } catch (WorkflowNotFoundException none) {
            return false;
        }
    }

    private void startOrResize() {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.POOL)
                .setTaskQueue(TaskQueues.FLEET)
                .setStaticSummary("The warm pool")
                .build();
        temporal.newUntypedWorkflowStub(PoolWorkflow.TYPE, options)
                .signalWithStart("resize", new Object[] {size}, new Object[] {PoolState.of(size)});
    }
}
