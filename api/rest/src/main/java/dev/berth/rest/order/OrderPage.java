package dev.berth.rest.order;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of orders, newest first.
 *
 * @param nextCursor of the next page; absent on the last one
 */
record OrderPage(List<OrderView> orders, @Nullable String nextCursor) {

    static OrderPage of(OrderSearch.FoundOrders found) {
        return new OrderPage(found.orders().stream().map(OrderView::of).toList(), found.nextCursor());
    }
}
