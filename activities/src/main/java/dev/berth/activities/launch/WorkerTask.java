package dev.berth.activities.launch;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.TaskArns;
import dev.berth.workflows.worker.TaskDeath;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker's task at one moment.
 *
 * @param arn of the task
 * @param revision ARN of its task definition
 * @param owner what requested it
 * @param userId of the request; null for a pool worker
 * @param epoch of the request; 0 for a pool worker
 * @param group whose worker it was requested as
 * @param state how far it is
 * @param isWanted false once its stop was requested
 * @param death whether its process is proven dead
 * @param stop code and reason of the stop, for people; empty while it lives
 * @param host ARN of its container instance; null while it has none
 * @param createdAt when the request was accepted, or when a host got it; null when not told
 */
public record WorkerTask(
        String arn,
        String revision,
        Owner owner,
        @Nullable UserId userId,
        long epoch,
        UserGroup group,
        State state,
        boolean isWanted,
        TaskDeath death,
        String stop,
        @Nullable String host,
        @Nullable Instant createdAt) {

    /** What requested a task. */
    public enum Owner {
        LIFECYCLE,
        POOL,
        OTHER
    }

    /** How far a task is. */
    public enum State {
        /** Waits for a host that the cluster adds. */
        AWAITING_HOST,
        STARTING,
        RUNNING,
        STOPPING,
        STOPPED
    }

    /** The last part of the ARN, by which Redis knows the task. */
    public String id() {
        return TaskArns.id(arn);
    }

    /** Whether the task is neither stopped nor to be stopped. */
    public boolean runs() {
        return isWanted && death == TaskDeath.ALIVE;
    }

    /** Whether the task was requested for this user, or for the pool. */
    public boolean mayServe(UserId user) {
        return switch (owner) {
            case LIFECYCLE -> user.equals(userId);
            case POOL -> true;
            case OTHER -> false;
        };
    }
}
