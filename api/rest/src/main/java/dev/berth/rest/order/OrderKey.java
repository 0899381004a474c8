package dev.berth.rest.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import java.util.Optional;

/** The id of an order among all users, written {@code {userId}:{clientOrderId}}. */
public record OrderKey(UserId userId, ClientOrderId clientOrderId) {

    public static OrderKey of(OrderRequest order) {
        return new OrderKey(order.userId(), order.clientOrderId());
    }

    /** Empty when the text is not an order key. */
    public static Optional<OrderKey> parse(String text) {
        String[] parts = text.split(":", 2);
        try {
            return parts.length < 2
                    ? Optional.empty()
                    : Optional.of(new OrderKey(new UserId(parts[0]), new ClientOrderId(parts[1])));
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return userId + ":" + clientOrderId;
    }
}
