package dev.berth.api.order;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.berth.workflows.UserId;
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
    record FleetOrder(UserId userId, @JsonUnwrapped OrderView order) {}

    static FleetOrderPage of(OrderSearch.FoundOrders found) {
        List<FleetOrder> rows = found.orders().stream()
                .map(order -> new FleetOrder(order.request().userId(), OrderView.of(order)))
                .toList();
        return new FleetOrderPage(rows, found.nextCursor());
    }
}
