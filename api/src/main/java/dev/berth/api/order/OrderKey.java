package dev.berth.api.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import java.util.Optional;

/** An order among everybody's, written {@code {userId}:{clientOrderId}}. */
public record OrderKey(UserId userId, ClientOrderId clientOrderId) {

    public static OrderKey of(OrderRequest order) {
        return new OrderKey(order.userId(), order.clientOrderId());
    }

    /** Empty when the text is none. */
    public static Optional<OrderKey> parse(String text) {
        String[] parts = text.split(":", 2);
        try {
            return parts.length < 2
                    ? Optional.empty()
                    : Optional.of(new OrderKey(new UserId(parts[0]), new ClientOrderId(parts[1])));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return userId + ":" + clientOrderId;
    }
}
