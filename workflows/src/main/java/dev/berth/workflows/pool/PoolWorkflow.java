package dev.berth.workflows.pool;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * Keeps the warm pool at its target. A signal only starts a check, so late and repeated signals are
 * harmless.
 */
@WorkflowInterface
public interface PoolWorkflow {
    String TYPE = "Pool";

    /** Runs until it is cancelled. */
    @WorkflowMethod(name = TYPE)
    void run(PoolState pool);

    /** A pool worker was claimed, or its heartbeat expired: check now. */
    @SignalMethod
    void refill();

    /**
     * ECS reports that a task of the pool stopped.
     *
     * @param wanted a caller asked ECS for the stop, so it is no failed start
     */
    @SignalMethod
    void taskStopped(String taskArn, String reason, boolean wanted);

    /** The size changed, for example by a restart with another setting. */
    @SignalMethod
    void resize(PoolSize size);

    /** What the pool knows, for metrics. */
    @QueryMethod
    PoolState state();
}
