package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** How admission and waiting orders learn that a user's orders cannot be served. */
@ActivityInterface
public interface AvailabilityNotices {
    /**
     * Tells admission, and each waiting order of a refused account. Published already: nothing
     * changes. An order that is not reached learns it when it asks for its worker
     * ({@link WorkerRequests#ensure}).
     */
    @ActivityMethod(name = "publishAvailability")
    void publish(UserId userId, WorkerAvailability availability);
}
