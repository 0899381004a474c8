package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** A user's ECS task. */
@ActivityInterface
public interface WorkerTasks {
    /** Failure type: no host has room now. Retryable. */
    String NO_ROOM = "no-room";

    /** Failure type: launches of this image keep failing, so none is tried for a while. Retryable. */
    String LAUNCHES_HELD = "launches-held";

    /**
     * ECS {@code RunTask}. Repeated with the same token it answers the same task, so a retry starts no second one.
     *
     * @param clientToken at most 64 characters; remembered by ECS for 24 h
     * @return the task's ARN
     * @throws io.temporal.failure.ApplicationFailure {@link #NO_ROOM}, {@link #LAUNCHES_HELD}
     */
    @ActivityMethod(name = "runTask")
    String run(UserId userId, long epoch, String clientToken);

    /**
     * ECS {@code StopTask}, and waits for {@code STOPPED}. Already stopped: answers at once. Unknown to ECS: fails, to be
     * tried again, until it has been unknown for so long that it must have stopped.
     */
    @ActivityMethod(name = "stopTask")
    void stop(String taskArn, String reason);

    /** Whether ECS says that the task is stopped. One that ECS does not know is not. */
    @ActivityMethod(name = "isTaskStopped")
    boolean isStopped(String taskArn);
}
