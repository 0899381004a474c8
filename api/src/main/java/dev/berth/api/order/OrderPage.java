package dev.berth.api.order;

import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.workflows.order.OrderState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of orders, newest first.
 *
 * @param nextCursor gives the next page; absent on the last one
 */
record OrderPage(List<OrderView> orders, @Nullable String nextCursor) {

    static OrderPage of(List<OrderState> orders, int limit) {
        return new OrderPage(orders.stream().map(OrderView::of).toList(), nextCursor(orders, limit));
    }

    /** Null when these are fewer than were asked for: then there are no more. */
    static @Nullable String nextCursor(List<OrderState> orders, int limit) {
        return orders.size() < limit ? null : Cursor.of(Position.of(orders.getLast()));
    }
}
