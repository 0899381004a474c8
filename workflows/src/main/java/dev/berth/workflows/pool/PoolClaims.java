package dev.berth.workflows.pool;

import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** How a user gets a pool worker. */
@ActivityInterface
public interface PoolClaims {
    /**
     * Reserves an idle pool worker and sends the claim. Repeated, it may reserve a second one, which stays in the pool
     * since a claim is good for one process of one (user, epoch). A message that could not be sent counts as one that
     * was lost on its way.
     *
     * @return false when no pool worker is idle
     */
    @ActivityMethod(name = "claimPoolWorker")
    boolean claim(UserId userId, long epoch);
}
