package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.order.Reason;
import org.jspecify.annotations.Nullable;

/** Every user's worker is there, unless the account may not be served. */
public final class AvailableWorkers implements WorkerRequests {
    public volatile @Nullable Reason refusal;

    @Override
    public @Nullable Reason ensure(UserId userId, WorkerNeed need) {
        return refusal;
    }

    @Override
    public long oldestUnconfirmedStop(UserId userId) {
        return 0;
    }
}
