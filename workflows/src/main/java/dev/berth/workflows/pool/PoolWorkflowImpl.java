package dev.berth.workflows.pool;

import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/** Looks every round and at every claim, and starts what is missing. */
public final class PoolWorkflowImpl implements PoolWorkflow {
    private final PoolTasks count = Workflow.newLocalActivityStub(PoolTasks.class, PoolPolicies.count());
    private final PoolTasks launch = Workflow.newActivityStub(PoolTasks.class, PoolPolicies.run());
    private int target;
    private boolean look;

    @WorkflowInit
    public PoolWorkflowImpl(int target) {
        this.target = target;
    }

    @Override
    public void run(int input) {
        while (!Workflow.getInfo().isContinueAsNewSuggested()) {
            if (CancellationScope.current().isCancelRequested()) {
                return;
            }
            look = false;
            boolean full = fill();
            Workflow.await(full ? PoolPolicies.ROUND : PoolPolicies.NO_ROOM, () -> look);
        }
        Workflow.continueAsNew(target);
    }

    @Override
    public void refill() {
        look = true;
    }

    @Override
    public void resize(int newTarget) {
        target = newTarget;
        look = true;
    }

    /** False when some found no room. */
    private boolean fill() {
        int idle = count.count();
        int missing = Math.min(target - idle, PoolPolicies.RUN_TASK_LIMIT);
        Workflow.setCurrentDetails("**%d** idle or starting, target %d".formatted(idle, target));
        if (missing > 0) {
            int started = launch.run(missing, Workflow.randomUUID().toString());
            // More than one call allows are still missing: go on at once.
            look |= started == PoolPolicies.RUN_TASK_LIMIT;
            return started == missing;
        }
        return true;
    }
}
