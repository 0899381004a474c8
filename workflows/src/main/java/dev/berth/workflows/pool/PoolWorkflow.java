package dev.berth.workflows.pool;

import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Keeps the warm pool at its target. There is one. Every signal only makes it look: late or twice, it is harmless. */
@WorkflowInterface
public interface PoolWorkflow {
    String TYPE = "Pool";

    /** Never ends by itself. */
    @WorkflowMethod(name = TYPE)
    void run(PoolState pool);

    /** A pool worker was claimed, or its mark ran out: look now instead of at the next round. */
    @SignalMethod
    void refill();

    /**
     * ECS says that a task of the pool stopped.
     *
     * @param wanted somebody asked ECS to stop it, so that it is no failed start, however young it was; false in signals
     *     of the time before this was told
     */
    @SignalMethod
    void taskStopped(String taskArn, String reason, boolean wanted);

    /** The size changed, as by a restart with another setting. */
    @SignalMethod
    void resize(PoolSize size);
}
