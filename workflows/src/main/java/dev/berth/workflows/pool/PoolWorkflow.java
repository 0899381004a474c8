package dev.berth.workflows.pool;

import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Keeps the warm pool at its target. There is one. */
@WorkflowInterface
public interface PoolWorkflow {
    String TYPE = "Pool";

    /**
     * Never ends by itself.
     *
     * @param target how many idle workers to keep; 0 keeps none
     */
    @WorkflowMethod(name = TYPE)
    void run(int target);

    /** A pool worker was claimed, or died: look now instead of at the next round. */
    @SignalMethod
    void refill();

    /** The target changed, as by a restart with another setting. */
    @SignalMethod
    void resize(int target);
}
