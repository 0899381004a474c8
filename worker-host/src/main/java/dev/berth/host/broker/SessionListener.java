package dev.berth.host.broker;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What a session tells by itself, on a thread of its own. Implementations must not block. */
@FunctionalInterface
public interface SessionListener {
    /** The venue reported an order. */
    void reported(ClientOrderId id, ExecutionReport report);

    /**
     * As {@link #reported}, for a broker that repeats what was not delivered.
     *
     * @return ends when the report is with the order's workflow, or with the running attempt whose
     *     result carries it; or when no repetition would be delivered either. Fails when it is not
     *     delivered, and a repetition may be.
     */
    default CompletionStage<Void> deliver(ClientOrderId id, ExecutionReport report) {
        reported(id, report);
        return CompletableFuture.completedFuture(null);
    }

    /** Balances, positions or open orders may have changed. */
    default void accountChanged() {}
}
