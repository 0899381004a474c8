package dev.berth.workflows.pool;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** The pool's ECS tasks. */
@ActivityInterface
public interface PoolTasks {
    /** How many pool workers are idle or on their way to be. */
    @ActivityMethod(name = "countPoolTasks")
    int count();

    /**
     * ECS {@code RunTask} for pool workers.
     *
     * @param count 1 to 10, ECS's limit for one call
     * @return how many were started; fewer than asked for when no host has room
     */
    @ActivityMethod(name = "runPoolTasks")
    int run(int count, String clientToken);
}
