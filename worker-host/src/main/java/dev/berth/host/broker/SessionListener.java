package dev.berth.host.broker;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.ExecutionReport;

/** What a session tells by itself, on a thread of its own. Implementations must not block. */
@FunctionalInterface
public interface SessionListener {
    /** The venue reported an order. */
    void reported(ClientOrderId id, ExecutionReport report);

    /** Balances, positions or open orders may have changed. */
    default void accountChanged() {}
}
