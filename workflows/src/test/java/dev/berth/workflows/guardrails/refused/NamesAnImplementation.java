package dev.berth.workflows.guardrails.refused;

import dev.berth.workflows.pool.PoolWorkflowImpl;

/** Asks for the implementation where the interface would do. */
public final class NamesAnImplementation {
    public PoolWorkflowImpl pool() {
        return new PoolWorkflowImpl(3);
    }
}
