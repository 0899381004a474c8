package dev.berth.workflows.pool;

import java.time.Duration;

/**
 * How large the pool should be.
 *
 * @param minimum fewer idle workers need attention; at most the target
 * @param target idle workers to keep
 * @param maximumLifetime an older idle worker retires once its replacement is idle
 */
public record PoolSize(int minimum, int target, Duration maximumLifetime) {
    public PoolSize {
        if (minimum < 0 || target < minimum || !maximumLifetime.isPositive()) {
            throw new IllegalArgumentException("A pool needs 0 <= minimum <= target and a lifetime longer than zero,"
                    + " not minimum " + minimum + ", target " + target + ", lifetime " + maximumLifetime);
        }
    }

    /** The same, with as many idle workers as a step asks for. */
    public PoolSize withTarget(int newTarget) {
        return new PoolSize(minimum, newTarget, maximumLifetime);
    }
}
