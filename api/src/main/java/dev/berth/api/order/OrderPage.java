package dev.berth.api.order;

import dev.berth.activities.order.OrderReadModel.Position;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.OrderState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of orders, newest first.
 *
 * @param nextCursor gives the next page; absent on the last one
 */
record OrderPage(List<OrderView> orders, @Nullable String nextCursor) {

    static OrderPage of(List<OrderState> orders, int limit) {
        List<OrderView> views = orders.stream().map(OrderView::of).toList();
        return new OrderPage(views, orders.size() < limit ? null : cursor(orders.getLast()));
    }

    private static String cursor(OrderState last) {
        String position = last.request().submittedAt() + " " + last.request().clientOrderId();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads a cursor that an earlier page gave.
     *
     * @throws IllegalArgumentException when it is none
     */
    static Position position(String cursor) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(" ", 2);
            return new Position(Instant.parse(parts[0]), new ClientOrderId(parts[1]));
        } catch (RuntimeException foreign) {
            throw new IllegalArgumentException("cursor is not one that an earlier page gave. Begin without one.");
        }
    }
}
