package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Reason;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Orders in Alpaca's JSON: to the broker and back. */
final class AlpacaOrders {
    private static final String DUPLICATE = "client_order_id must be unique";

    /** Separates the time from the execution's id in an activity's id. */
    private static final String ACTIVITY_ID = "::";

    private AlpacaOrders() {}

    static ObjectNode toAlpaca(OrderRequest order) {
        return toAlpaca(OrderTerms.of(order), new VenueClientOrderId(order.clientOrderId(), 0))
                .put("symbol", order.symbol())
                .put("side", order.side().name().toLowerCase(Locale.ROOT))
                .put("type", order.type().name().toLowerCase(Locale.ROOT))
                .put("time_in_force", order.timeInForce().name().toLowerCase(Locale.ROOT));
    }

    /** The terms that a replacement may change, and its client order id. */
    static ObjectNode toAlpaca(OrderTerms terms, VenueClientOrderId id) {
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

    /** Empty for an order of another application, whose id has another form. */
    static Optional<VenueClientOrderId> id(JsonNode order) {
        try {
            return Optional.of(
                    VenueClientOrderId.parse(order.path("client_order_id").asText()));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    /** Whether nothing more will trade under this version. */
    static boolean isOver(ExecutionReport version) {
        return version.status().isFinal() || OrderPolicies.REPLACED.equals(version.venueStatus());
    }

    /** Whether the venue's order has the terms that an order was submitted with. */
    static boolean isSame(OrderRequest order, JsonNode found) {
        ObjectNode submitted = toAlpaca(order);
        return Stream.of("symbol", "side", "type")
                        .allMatch(field -> submitted
                                .get(field)
                                .asText()
                                .equals(found.path(field).asText()))
                && order.quantity().equals(rounded(found.required("qty")));
    }

    /** The order keeps its time: what the venue reports next is newer. */
    static ExecutionReport pendingCancel(ExecutionReport order, long epoch) {
        return new ExecutionReport(
                order.version(),
                order.quantity(),
                OrderStatus.PENDING_CANCEL,
                "pending_cancel",
                order.venueOrderId(),
                order.filledQuantity(),
                order.averagePrice(),
                null,
                order.updatedAt(),
                List.of(),
                Instant.now(),
                epoch);
    }

    /** Whether the venue already has an order with this client order id. */
    static boolean isDuplicate(JsonNode error) {
        return error.path("message").asText().contains(DUPLICATE);
    }

    /**
     * The executions of an update of the stream {@code trade_updates}.
     *
     * @param version the order version that the update is about
     */
    static List<Execution> executions(JsonNode update, int version) {
        return switch (update.path("event").asText()) {
            case "fill", "partial_fill" -> List.of(execution(update, version, false));
            // Of Alpaca's Broker API: execution_id names the busted execution.
            case "trade_bust" -> List.of(execution(update, version, true));
            default -> List.of();
        };
    }

    private static Execution execution(JsonNode update, int version, boolean busted) {
        return new Execution(
                update.required("execution_id").asText(),
                version,
                rounded(update.required("qty")),
                rounded(update.required("price")),
                Instant.parse(update.required("timestamp").asText()),
                busted);
    }

    /** An account activity of type FILL, whose id ends with the execution's id. */
    static Execution execution(JsonNode activity, int version) {
        String id = activity.required("id").asText();
        return new Execution(
                id.substring(id.indexOf(ACTIVITY_ID) + ACTIVITY_ID.length()),
                version,
                rounded(activity.required("qty")),
                rounded(activity.required("price")),
                Instant.parse(activity.required("transaction_time").asText()),
                false);
    }

    static ExecutionReport report(JsonNode order, long epoch) {
        String venueStatus = order.required("status").asText();
        return new ExecutionReport(
                VenueClientOrderId.parse(order.required("client_order_id").asText())
                        .version(),
                rounded(order.required("qty")),
                status(venueStatus),
                venueStatus,
                order.required("id").asText(),
                Decimal.of(order.path("filled_qty").asText("0")),
                price(order.path("filled_avg_price")),
                null,
                Instant.parse(order.required("updated_at").asText()),
                List.of(),
                Instant.now(),
                epoch);
    }

    /** The venue refused the order before it had an id. */
    static ExecutionReport rejected(JsonNode error, long epoch) {
        return rejected(
                new Reason(
                        Reason.Category.BROKER,
                        "refused-" + error.path("code").asText("without-code"),
                        error.path("message").asText("The broker refused the order and gave no reason.")),
                epoch);
    }

    /** The id belongs to an order with other terms, so this one was not accepted. */
    static ExecutionReport duplicateOfAnother(long epoch) {
        return rejected(
                FailureCode.DUPLICATE_ID.because(
                        "The broker has another order with this id, which this one did not make."
                                + " Look there, and submit this one under another id."),
                epoch);
    }

    private static ExecutionReport rejected(Reason reason, long epoch) {
        return new ExecutionReport(
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

    /** An unknown status leaves the order open: the workflow looks it up again. */
    private static OrderStatus status(String venueStatus) {
        return switch (venueStatus) {
            case "partially_filled" -> OrderStatus.PARTIALLY_FILLED;
            case "filled" -> OrderStatus.FILLED;
            case "canceled" -> OrderStatus.CANCELED;
            case "expired" -> OrderStatus.EXPIRED;
            case "rejected" -> OrderStatus.REJECTED;
            case "pending_cancel" -> OrderStatus.PENDING_CANCEL;
            // The status of a replaced version says nothing about the whole order.
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
