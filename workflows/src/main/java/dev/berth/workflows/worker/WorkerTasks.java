package dev.berth.workflows.worker;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Duration;

/** A user's ECS task. */
@ActivityInterface
public interface WorkerTasks {
    /**
     * ECS {@code RunTask}. Repeated with the same token it answers the same task, so a retry starts
     * no second one.
     *
     * @param clientToken at most 64 characters; remembered by ECS for 24 h
     * @return the task's ARN
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#NO_ROOM},
     *     {@link FailureType#LAUNCH_CIRCUIT_OPEN}
     */
    @ActivityMethod(name = "runTask")
    String run(UserId userId, long epoch, String clientToken);

    /**
     * ECS {@code StopTask}, and waits for {@link TaskDeath#PROVEN}. Already proven: answers at
     * once. Unknown to ECS: fails, to be tried again, until it has been unknown for so long that it
     * must have stopped.
     *
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#STOPPED_WITHOUT_PROOF}
     */
    @ActivityMethod(name = "stopTask")
    void stop(String taskArn, String reason);

    /**
     * Whether ECS knows the task as a worker of this user, or of the pool, that is not dead. What a
     * process says of itself does not count.
     */
    @ActivityMethod(name = "isWorkerOf")
    boolean isWorkerOf(String taskArn, UserId userId);

    /**
     * How much longer a launch may wait for the process of its task. The time counts from the
     * moment when a host has the task; until then, while the cluster grows, it is the whole time.
     *
     * @param afterPlacement from a host to an answering process
     * @return zero when the time is over, or ECS does not know the task
     */
    @ActivityMethod(name = "startTimeLeft")
    Duration startTimeLeft(String taskArn, Duration afterPlacement);

    /** What ECS says of the task's death at this moment. */
    @ActivityMethod(name = "describeTask")
    TaskDeath death(String taskArn);
}
