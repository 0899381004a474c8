package dev.berth.api.order;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.berth.workflows.UserId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of everybody's orders, newest first.
 *
 * @param nextCursor gives the next page; absent on the last one
 */
record FleetOrderPage(List<Row> orders, @Nullable String nextCursor) {
    /** An order, and whose it is. */
    record Row(UserId userId, @JsonUnwrapped OrderView order) {}

    static FleetOrderPage of(OrderSearch.Found found) {
        List<Row> rows = found.orders().stream()
                .map(order -> new Row(order.request().userId(), OrderView.of(order)))
                .toList();
        return new FleetOrderPage(rows, found.nextCursor());
    }
}
