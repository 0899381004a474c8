package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.Terms;
import dev.berth.workflows.order.VenueReport;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Orders in Alpaca's words, there and back. */
final class AlpacaOrders {
    private static final String DUPLICATE = "client_order_id must be unique";

    /** Stands before the execution's id in an activity's. */
    private static final String ACTIVITY_ID = "::";

    private AlpacaOrders() {}

    static ObjectNode toAlpaca(OrderRequest order) {
        return toAlpaca(Terms.of(order), new VenueClientOrderId(order.clientOrderId(), 0))
                .put("symbol", order.symbol())
                .put("side", order.side().name().toLowerCase(Locale.ROOT))
                .put("type", order.type().name().toLowerCase(Locale.ROOT))
                .put("time_in_force", order.timeInForce().name().toLowerCase(Locale.ROOT));
    }

    /** What a replacement may change, and the id under which it does. */
    static ObjectNode toAlpaca(Terms terms, VenueClientOrderId id) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("client_order_id", id.toString());
        body.put("qty", terms.quantity().toString());
        if (terms.limitPrice() != null) {
            body.put("limit_price", terms.limitPrice().toString());
        }
        if (terms.stopPrice() != null) {
            body.put("stop_price", terms.stopPrice().toString());
        }
        return body;
    }

    /** The client order id was used before, so the venue has an order with it. */
    static boolean isDuplicate(JsonNode error) {
        return error.path("message").asText().contains(DUPLICATE);
    }

    /**
     * What an update of the stream {@code trade_updates} tells of executions.
     *
     * @param leg under which the order that it tells of is known
     */
    static List<Execution> executions(JsonNode update, int leg) {
        return switch (update.path("event").asText()) {
            case "fill", "partial_fill" -> List.of(execution(update, leg, false));
            // Of Alpaca's Broker API, whose execution_id names what is taken back.
            case "trade_bust" -> List.of(execution(update, leg, true));
            default -> List.of();
        };
    }

    private static Execution execution(JsonNode update, int leg, boolean busted) {
        return new Execution(
                update.required("execution_id").asText(),
                leg,
                rounded(update.required("qty")),
                rounded(update.required("price")),
                Instant.parse(update.required("timestamp").asText()),
                busted);
    }

    /** An account activity of the kind FILL. Its id is a time, "::", and the execution's id. */
    static Execution execution(JsonNode activity, int leg) {
        String id = activity.required("id").asText();
        return new Execution(
                id.substring(id.indexOf(ACTIVITY_ID) + ACTIVITY_ID.length()),
                leg,
                rounded(activity.required("qty")),
                rounded(activity.required("price")),
                Instant.parse(activity.required("transaction_time").asText()),
                false);
    }

    static VenueReport report(JsonNode order, long epoch) {
        String word = order.required("status").asText();
        return new VenueReport(
                VenueClientOrderId.parse(order.required("client_order_id").asText())
                        .leg(),
                rounded(order.required("qty")),
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
                null,
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
        return price.isMissingNode() || price.isNull() ? null : rounded(price);
    }

    private static Decimal rounded(JsonNode value) {
        return Decimal.rounded(new BigDecimal(value.asText()));
    }
}
