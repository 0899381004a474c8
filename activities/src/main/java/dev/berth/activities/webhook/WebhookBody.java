package dev.berth.activities.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.OrderState;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a receiver gets; the same in every attempt. */
record WebhookBody(
        String type,
        Instant timestamp,

        @JsonInclude(JsonInclude.Include.NON_NULL) @JsonRawValue @Nullable
        String data) {

    /** The order when the event happened; decimals are texts. */
    record OrderData(
            String userId,
            String clientOrderId,
            String status,
            @Nullable String reason,
            String symbol,
            String side,
            String quantity,
            String filledQuantity,
            @Nullable String averagePrice,
            @Nullable String venueOrderId,
            Instant submittedAt,
            @Nullable Instant finalAt,
            int revision) {
        static OrderData of(OrderState order) {
            return new OrderData(
                    order.request().userId().value(),
                    order.request().clientOrderId().value(),
                    order.status().name(),
                    Objects.toString(order.reason(), null),
                    order.request().symbol(),
                    order.request().side().name(),
                    order.terms().quantity().toString(),
                    order.filledQuantity().toString(),
                    Objects.toString(order.averagePrice(), null),
                    order.venueOrderId(),
                    order.request().submittedAt(),
                    order.finalAt(),
                    order.revision());
        }
    }

    static String of(WebhookStore.Message message) {
        return Json.write(new WebhookBody(message.event(), message.createdAt(), data(message)));
    }

    private static @Nullable String data(WebhookStore.Message message) {
        String state = message.state();
        return state == null || !message.event().startsWith("order.")
                ? state
                : Json.write(OrderData.of(Json.read(state, OrderState.class)));
    }
}
