package dev.berth.api.pool;

import dev.berth.api.BerthSettings;
import dev.berth.api.Roles;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolState;
import dev.berth.workflows.pool.PoolWorkflow;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Starts the pool's workflow, or tells the one that runs its size. Every replica may do so. */
@Component
@Conditional(Roles.Orchestrator.class)
class PoolStart {
    private final WorkflowClient temporal;
    private final PoolSize size;

    PoolStart(WorkflowClient temporal, BerthSettings settings) {
        this.temporal = temporal;
        BerthSettings.Pool pool = settings.pool();
        this.size = new PoolSize(pool.minimum(), pool.target(), pool.maximumLifetime());
    }

    @EventListener(ApplicationReadyEvent.class)
    void start() {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.POOL)
                .setTaskQueue(TaskQueues.FLEET)
                .setStaticSummary("The warm pool")
                .build();
        temporal.newUntypedWorkflowStub(PoolWorkflow.TYPE, options)
                .signalWithStart("resize", new Object[] {size}, new Object[] {PoolState.of(size)});
    }
}
