package dev.berth.host.broker;

import static dev.berth.host.broker.AlpacaFields.number;
import static dev.berth.host.broker.AlpacaFields.optional;
import static dev.berth.host.broker.AlpacaFields.text;
import static dev.berth.host.broker.AlpacaFields.time;

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
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Orders in Alpaca's JSON: to the broker and back. */
final class AlpacaOrders {
    /** https://docs.alpaca.markets/docs/orders-at-alpaca#order-lifecycle. */
    private static final Set<String> NOT_WORKING_YET =
            Set.of("accepted", "pending_new", "accepted_for_bidding", "held");

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

    /** The stream does not announce such an order: outside of the market's hours for a night. */
    static boolean isNotWorkingYet(ExecutionReport version) {
        return NOT_WORKING_YET.contains(version.venueStatus())
                && !version.filledQuantity().isPositive();
    }

    /** Whether the venue's order has an order's terms; it may leave some out. */
    static boolean isSame(OrderRequest order, JsonNode found) {
        ObjectNode submitted = toAlpaca(order);
        return Stream.of("symbol", "side", "type")
                        .filter(found::hasNonNull)
                        .allMatch(field -> plain(submitted.get(field)).equals(plain(found.get(field))))
                && order.quantity().equals(number(found, "qty"));
    }

    /** Alpaca takes BTCUSD, and calls it BTC/USD. */
    private static String plain(JsonNode term) {
        return term.asText().replace("/", "");
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

    /**
     * The executions of an update of the stream {@code trade_updates}. A bust or a correction has
     * one that is busted, so that a person is called, also when it cannot be read.
     *
     * @param version the order version that the update is about
     * @throws IllegalArgumentException when a fill's id, quantity, price or time is not told
     */
    static List<Execution> executions(JsonNode update, int version) {
        return switch (update.path("event").asText()) {
            case "fill", "partial_fill" -> List.of(execution(update, version));
            // Of Alpaca's Broker API.
            case "trade_bust", "trade_cancel" ->
                List.of(busted(update, version, "previous_execution_id", "execution_id"));
            case "trade_correct" ->
                Stream.of(busted(update, version, "previous_execution_id"), optional(() -> execution(update, version)))
                        .filter(Objects::nonNull)
                        .toList();
            default -> List.of();
        };
    }

    private static Execution execution(JsonNode update, int version) {
        return new Execution(
                text(update, "execution_id"),
                version,
                number(update, "qty"),
                number(update, "price"),
                time(update, "timestamp"),
                false);
    }

    /** Only the id of a busted execution counts: the first of these that the update has. */
    private static Execution busted(JsonNode update, int version, String... ids) {
        return new Execution(
                Stream.of(ids)
                        .map(id -> optional(() -> text(update, id)))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElseGet(() -> unnamed(update)),
                version,
                Objects.requireNonNullElse(optional(() -> number(update, "qty")), Decimal.ZERO),
                Objects.requireNonNullElse(optional(() -> number(update, "price")), Decimal.ZERO),
                Objects.requireNonNullElseGet(optional(() -> time(update, "timestamp")), Instant::now),
                true);
    }

    /** A busted execution that stands for an update that names none, or cannot be read. */
    static Execution unreadable(JsonNode update, int version) {
        return busted(update, version);
    }

    /** The same for the same update. */
    private static String unnamed(JsonNode update) {
        byte[] content = update.toString().getBytes(StandardCharsets.UTF_8);
        return "unreadable-" + UUID.nameUUIDFromBytes(content);
    }

    /** Empty for what is no order, or has an amount ({@code notional}) instead of a quantity. */
    static Optional<ExecutionReport> read(JsonNode order, long epoch) {
        try {
            return Optional.of(report(order, epoch));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static ExecutionReport report(JsonNode order, long epoch) {
        String venueStatus = text(order, "status");
        OrderStatus status = status(venueStatus);
        boolean isFilled = status == OrderStatus.FILLED || status == OrderStatus.PARTIALLY_FILLED;
        return new ExecutionReport(
                VenueClientOrderId.parse(text(order, "client_order_id")).version(),
                number(order, "qty"),
                status,
                venueStatus,
                text(order, "id"),
                isFilled || order.hasNonNull("filled_qty") ? number(order, "filled_qty") : Decimal.ZERO,
                optional(() -> number(order, "filled_avg_price")),
                null,
                optional(() -> time(order, "updated_at")),
                List.of(),
                Instant.now(),
                epoch);
    }

    /**
     * The order as it was, with the reason why it cannot be canceled.
     *
     * @param why in the broker's words; may be blank
     */
    static ExecutionReport cancelRefused(ExecutionReport order, String why) {
        return order.withReason(FailureCode.NOT_CANCELED.because(refusal(why)));
    }

    /** The text for a cancel or a replacement that the broker refused. */
    static String refusal(String why) {
        return "The broker refused: " + (why.isBlank() ? "it gave no reason" : why) + ".";
    }

    /** The venue refused the order before it had an id. */
    static ExecutionReport rejected(AlpacaAnswer error, long epoch) {
        String reason = error.message();
        return rejected(
                new Reason(
                        Reason.Category.BROKER,
                        "refused-" + error.code(),
                        reason.isBlank() ? "The broker refused the order and gave no reason." : reason),
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
    static OrderStatus status(String venueStatus) {
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
}
