package dev.berth.acceptance.stream;

import static dev.berth.acceptance.rest.JsonRecords.required;

import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Worker;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of {@code GET /v1/stream}. What belongs to another type of message is absent, and to
 * read it is an {@link AssertionError}.
 *
 * @param type {@code order}, {@code fill}, {@code worker} or {@code account}
 * @param order after one of its steps
 * @param clientOrderId the order of a fill
 */
public record StreamEvent(
        long position,
        String type,
        @Nullable Integer revision,
        @Nullable Instant at,
        @Nullable PlacedOrder order,
        @Nullable String clientOrderId,
        PlacedOrder.@Nullable Fill fill,
        @Nullable Worker worker) {

    @Override
    public PlacedOrder order() {
        return required(order, "order");
    }

    @Override
    public PlacedOrder.Fill fill() {
        return required(fill, "fill");
    }

    @Override
    public Worker worker() {
        return required(worker, "worker");
    }
}
