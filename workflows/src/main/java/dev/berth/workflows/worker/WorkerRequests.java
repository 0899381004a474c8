package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.order.Reason;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/** How an order asks for its user's worker. */
@ActivityInterface
public interface WorkerRequests {
    /**
     * Signals the user's lifecycle workflow and starts it when there is none. At most one a second,
     * user and account gets through; the others are dropped, since one request is as good as many.
     * A {@link WorkerNeed.Why#REQUEST} always does.
     *
     * @return why no worker can send the account's orders now; null when one may
     */
    @ActivityMethod(name = "ensureWorker")
    @Nullable
    Reason ensure(UserId userId, WorkerNeed need);

    /**
     * The oldest epoch of the user whose process may still live beside a newer one: its stop is not
     * confirmed, and nothing proves that it is dead. What it had in hand may yet reach the venue.
     *
     * @return 0 when there is none
     */
    @ActivityMethod(name = "oldestUnconfirmedStop")
    long oldestUnconfirmedStop(UserId userId);
}
