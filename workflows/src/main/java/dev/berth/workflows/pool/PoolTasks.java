package dev.berth.workflows.pool;

import dev.berth.workflows.FailureType;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ECS tasks of a pool: of the group whose pool, or whose user, the calling workflow is. */
@ActivityInterface
public interface PoolTasks {
    /**
     * Counts the idle workers, and above the target selects workers to retire: first the oldest
     * past the maximum lifetime, then the youngest on the emptiest host, so that hosts become free.
     *
     * @param starting ARNs of tasks that were not idle at the last check
     */
    @ActivityMethod(name = "lookAtPool")
    PoolView check(PoolSize size, List<String> starting);

    /**
     * ECS {@code RunTask} for one pool worker, so that each has an enrolment secret of its own, and
     * counts as one call in the launch rate. A repeated call with the same token returns the same
     * task.
     *
     * @return ARN of the started task; null when no host has room
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#LAUNCH_CIRCUIT_OPEN}
     */
    @ActivityMethod(name = "runPoolTask")
    @Nullable
    String run(String clientToken);

    /**
     * Takes a worker out of the pool, and stops its task: no claim can reserve the worker any more,
     * nor give it a user. Succeeds when the task has stopped before, or ECS does not know the task.
     *
     * @return false, without effect, when the worker is reserved or serves a user
     */
    @ActivityMethod(name = "retirePoolTask")
    boolean retire(String taskArn, String reason);

    /** Deletes stopped tasks from the pool before their heartbeats expire. Repeatable. */
    @ActivityMethod(name = "forgetPoolTasks")
    void forget(List<String> taskArns);
}
