package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.VenueReport;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Orders in Alpaca's words, there and back. */
final class AlpacaOrders {
    private AlpacaOrders() {}

    static Map<String, String> toAlpaca(OrderRequest order) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("client_order_id", order.clientOrderId().value());
        body.put("symbol", order.symbol());
        body.put("qty", order.quantity().toString());
        body.put("side", order.side().name().toLowerCase(Locale.ROOT));
        body.put("type", order.type().name().toLowerCase(Locale.ROOT));
        body.put("time_in_force", order.timeInForce().name().toLowerCase(Locale.ROOT));
        if (order.limitPrice() != null) {
            body.put("limit_price", order.limitPrice().toString());
        }
        if (order.stopPrice() != null) {
            body.put("stop_price", order.stopPrice().toString());
        }
        return body;
    }

    static VenueReport report(JsonNode order, long epoch) {
        String word = order.required("status").asText();
        return new VenueReport(
                VenueClientOrderId.parse(order.required("client_order_id").asText())
                        .leg(),
                status(word),
                word,
                order.required("id").asText(),
                Decimal.of(order.path("filled_qty").asText("0")),
                price(order.path("filled_avg_price")),
                null,
                Instant.parse(order.required("updated_at").asText()),
                List.of(),
                Instant.now(),
                epoch);
    }

    /** The venue said no before the order had an id. */
    static VenueReport rejected(JsonNode error, long epoch) {
        Reason reason = new Reason(
                Reason.Category.BROKER,
                "refused-" + error.path("code").asText("without-code"),
                error.path("message").asText("The broker refused the order and gave no reason."));
        return new VenueReport(
                0,
                OrderStatus.REJECTED,
                "rejected",
                null,
                Decimal.ZERO,
                null,
                reason,
                null,
                List.of(),
                Instant.now(),
                epoch);
    }

    /** Words that this version does not know leave an order open: it is asked about again. */
    private static OrderStatus status(String word) {
        return switch (word) {
            case "partially_filled" -> OrderStatus.PARTIALLY_FILLED;
            case "filled" -> OrderStatus.FILLED;
            case "canceled" -> OrderStatus.CANCELED;
            case "expired" -> OrderStatus.EXPIRED;
            case "rejected" -> OrderStatus.REJECTED;
            case "pending_cancel" -> OrderStatus.PENDING_CANCEL;
            // Replaced: the next leg has its place, and this one says nothing of the whole order any more.
            case "pending_replace", OrderPolicies.REPLACED -> OrderStatus.PENDING_REPLACE;
            default -> OrderStatus.NEW;
        };
    }

    private static @Nullable Decimal price(JsonNode price) {
        return price.isMissingNode() || price.isNull()
                ? null
                : new Decimal(new BigDecimal(price.asText()).setScale(Decimal.FRACTION_DIGITS, RoundingMode.HALF_EVEN));
    }
}
