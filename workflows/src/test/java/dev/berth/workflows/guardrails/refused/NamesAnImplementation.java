package dev.berth.workflows.guardrails.refused;

import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolState;
import dev.berth.workflows.pool.PoolWorkflowImpl;
import java.time.Duration;

/** Asks for the implementation where the interface would do. */
public final class NamesAnImplementation {
    public PoolWorkflowImpl pool() {
        return new PoolWorkflowImpl(PoolState.of(new PoolSize(0, 3, Duration.ofHours(12))));
    }
}
