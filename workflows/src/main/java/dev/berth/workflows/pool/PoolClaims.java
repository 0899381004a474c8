package dev.berth.workflows.pool;

import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/** How a user gets a pool worker. */
@ActivityInterface
public interface PoolClaims {
    /**
     * Reserves an idle pool worker and sends the claim. A second call may reserve a second worker,
     * which stays in the pool: a claim is good for one process of one (user, epoch). A failed send
     * counts as a message lost on its way.
     *
     * @return id of the reserved task, which alone may take the claim; null when no worker is idle
     */
    @ActivityMethod(name = "claimPoolWorker")
    @Nullable
    String claim(UserId userId, long epoch);

    /**
     * Reserves this pool worker for some seconds, for a claim that is sent later. Reserved for the
     * same claim already: for some seconds more.
     *
     * @return false when it is not idle, or no longer
     */
    @ActivityMethod(name = "reservePoolWorker")
    boolean reserve(UserId userId, long epoch, String taskId);

    /** Sends the claim of a reserved pool worker. A failed send counts as a lost message. */
    @ActivityMethod(name = "sendClaim")
    void send(UserId userId, long epoch, String taskId);

    /**
     * No process answered a claim: retires its worker, so that no claim can reserve the worker any
     * more, and stops the task, which is not awaited. Without effect when the worker has, or is
     * reserved for, another user meanwhile; when the claims of the last minute say that the cause
     * is not the worker; when the stops of the last minute have used the stop budget; or when Redis
     * is unavailable.
     *
     * @return whether the worker is retired
     */
    @ActivityMethod(name = "retireUnansweredWorker")
    boolean retireUnanswered(UserId userId, long epoch, String taskId);
}
