package dev.berth.workflows.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The read model's side of an order. */
@ActivityInterface
public interface OrderRecords {
    /**
     * Writes the steps and the state after the last of them, enters the executions into the ledger,
     * and publishes the state. What was written before changes nothing; a state older than the
     * stored one is dropped.
     *
     * @param from where in its history the order stood. Steps from before what is stored, of the
     *     same run, were lost with their workflow task: they are dropped
     */
    @ActivityMethod(name = "recordOrder")
    void record(
            UserId userId,
            ClientOrderId clientOrderId,
            List<OrderState> steps,
            List<Execution> executions,
            HistoryPosition from);

    /** The stored state; null when there is none. */
    @ActivityMethod(name = "readOrder")
    @Nullable
    OrderState read(UserId userId, ClientOrderId clientOrderId);

    /**
     * Enters a report of an order that is over into the ledger, and corrects the order when its
     * executions are new and the venue's totals are not what the order has, or when the venue has
     * it and it had been taken for lost.
     *
     * @return the order as it is now; null when nothing changed, or there is no such order
     */
    @ActivityMethod(name = "recordLateReport")
    @Nullable
    OrderState recordLateReport(UserId userId, ClientOrderId clientOrderId, ExecutionReport report);
}
