package dev.berth.workflows.pool;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** The pool's ECS tasks. */
@ActivityInterface
public interface PoolTasks {
    /**
     * Counts the idle workers. Above the target it also names those to be retired: the oldest that is past the maximum
     * lifetime, then the youngest on the emptiest host, so that hosts become free.
     *
     * @param starting ARNs of tasks that were not idle at the last look
     */
    @ActivityMethod(name = "lookAtPool")
    PoolView look(PoolSize size, List<String> starting);

    /**
     * ECS {@code RunTask} for pool workers. Repeated with the same token it answers the same tasks.
     *
     * @param count 1 to 10, ECS's limit for one call
     * @return the ARNs of those that were started; fewer than asked for when no host has room
     * @throws io.temporal.failure.ApplicationFailure {@link dev.berth.workflows.worker.WorkerTasks#LAUNCHES_HELD}
     */
    @ActivityMethod(name = "runPoolTasks")
    List<String> run(int count, String clientToken);

    /**
     * Takes a worker out of the pool. From then on nobody can reserve it, and a claim that it has just received is
     * refused to it. One that is idle ends by itself within half a minute, when it has looked for claims to the end; any
     * other's task is stopped. Stopped before, or unknown to ECS: as if it were stopped now.
     *
     * @return false when it is reserved or serves a user: then nothing was done
     */
    @ActivityMethod(name = "retirePoolTask")
    boolean retire(String taskArn, String reason);

    /** Tasks stopped: nobody may reserve them any more, though their marks live on for a while. Repeatable. */
    @ActivityMethod(name = "forgetPoolTasks")
    void forget(List<String> taskArns);
}
