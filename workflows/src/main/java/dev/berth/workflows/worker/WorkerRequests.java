package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** How an order asks for its user's worker. */
@ActivityInterface
public interface WorkerRequests {
    /**
     * Signals the user's lifecycle workflow and starts it when there is none. At most one a second and user gets
     * through; the others are dropped, since one request is as good as many.
     */
    @ActivityMethod(name = "ensureWorker")
    void ensure(UserId userId, AccountKey account);
}
