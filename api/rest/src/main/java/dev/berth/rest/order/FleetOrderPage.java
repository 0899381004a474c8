package dev.berth.rest.order;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of all users' orders, newest first.
 *
 * @param nextCursor of the next page; absent on the last one
 */
record FleetOrderPage(List<FleetOrder> orders, @Nullable String nextCursor) {
    /** An order and its user. */
    @Schema(name = "FleetOrder")
    record FleetOrder(UserId userId, @JsonUnwrapped OrderView order) {
        static FleetOrder of(OrderState order) {
            return new FleetOrder(order.request().userId(), OrderView.of(order));
        }
    }

    static FleetOrderPage of(OrderSearch.FoundOrders found) {
        List<FleetOrder> rows = found.orders().stream().map(FleetOrder::of).toList();
        return new FleetOrderPage(rows, found.nextCursor());
    }
}
