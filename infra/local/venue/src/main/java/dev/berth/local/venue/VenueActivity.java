package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What changed an account, in Alpaca's format.
 *
 * @param id a time of New York and a UUID; a page continues after it
 * @param orderId of the order that caused it
 */
record VenueActivity(String id, String type, Instant time, UUID orderId, ObjectNode json) {

    private static final DateTimeFormatter ID_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS", Locale.ROOT).withZone(NewYork.ZONE);

    /** The activities of these orders, oldest first; without busted executions. */
    static List<VenueActivity> of(List<VenueOrder> orders) {
        return orders.stream()
                .flatMap(VenueActivity::of)
                .sorted(Comparator.comparing(VenueActivity::time))
                .toList();
    }

    private static Stream<VenueActivity> of(VenueOrder order) {
        var activities = new ArrayList<VenueActivity>();
        var filled = BigDecimal.ZERO;
        for (var fill : order.fills()) {
            filled = filled.add(fill.qty());
            activities.add(fill(order, fill, filled));
            if (fill.fee() != null) {
                activities.add(fee(order, fill, fill.fee()));
            }
        }
        return activities.stream();
    }

    private static VenueActivity fill(VenueOrder order, Fill fill, BigDecimal filledQty) {
        var id = ID_TIME.format(fill.time()) + "::" + fill.executionId();
        var leaves = order.terms().qty().subtract(filledQty);
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("id", id);
        json.put("activity_type", "FILL");
        json.putPOJO("transaction_time", fill.time());
        json.put("type", leaves.signum() == 0 ? "fill" : "partial_fill");
        json.putPOJO("price", fill.price());
        json.putPOJO("qty", fill.qty());
        json.putPOJO("side", order.terms().side());
        json.put("symbol", order.terms().symbol());
        json.putPOJO("leaves_qty", leaves);
        json.put("order_id", order.id().toString());
        json.putPOJO("cum_qty", filledQty);
        json.putPOJO("order_status", order.status());
        return new VenueActivity(id, "FILL", fill.time(), order.id(), json);
    }

    /** Booked with its execution, while Alpaca books the fees of a day at its end. */
    private static VenueActivity fee(VenueOrder order, Fill fill, BigDecimal fee) {
        var date = NewYork.date(fill.time());
        var uuid = UUID.nameUUIDFromBytes(("fee:" + fill.executionId()).getBytes(StandardCharsets.UTF_8));
        var id = date.format(DateTimeFormatter.BASIC_ISO_DATE) + "000000000::" + uuid;
        boolean dollars = order.terms().side() == VenueSide.SELL;
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("id", id);
        json.put("activity_type", "CFEE");
        json.put("date", date.toString());
        json.putPOJO("created_at", fill.time());
        json.putPOJO("net_amount", dollars ? fee.negate() : BigDecimal.ZERO);
        json.put("description", dollars ? "Coin Pair Transaction Fee (USD)" : "Coin Pair Transaction Fee (Non USD)");
        json.put("symbol", Asset.require(order.terms().symbol()).pairSymbol());
        json.putPOJO("qty", dollars ? BigDecimal.ZERO : fee.negate());
        json.putPOJO("price", fill.price());
        json.put("status", "executed");
        return new VenueActivity(id, "CFEE", fill.time(), order.id(), json);
    }

    /** In New York. */
    LocalDate date() {
        return NewYork.date(time);
    }
}
