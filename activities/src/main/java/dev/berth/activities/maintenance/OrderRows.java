package dev.berth.activities.maintenance;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import java.util.Optional;

/** The read model of orders, as a heal asks it. */
@FunctionalInterface
public interface OrderRows {
    /** Empty when nothing of the order was written yet. */
    Optional<OrderState> find(UserId userId, ClientOrderId clientOrderId);
}
