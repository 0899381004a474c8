package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An order in Alpaca's format: every field is present, null where it does not apply. */
final class OrderJson {

    /** Fields that this venue never sets. */
    private static final List<String> ALWAYS_NULL =
            List.of("failed_at", "expires_at", "notional", "legs", "trail_percent", "trail_price", "hwm");

    private OrderJson() {}

    static ObjectNode of(VenueOrder order) {
        var terms = order.terms();
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("id", order.id().toString());
        json.put("client_order_id", terms.clientOrderId());
        times(json, order);
        json.putPOJO("replaced_by", order.replacedBy());
        json.putPOJO("replaces", order.replaces());
        var asset = Asset.require(terms.symbol());
        json.put("asset_id", asset.id().toString());
        json.put("symbol", terms.symbol());
        json.putPOJO("asset_class", asset.assetClass());
        json.putPOJO("qty", terms.qty());
        json.putPOJO("filled_qty", order.filledQty());
        json.putPOJO("filled_avg_price", order.averagePrice());
        json.put("order_class", "");
        json.putPOJO("order_type", terms.type());
        json.putPOJO("type", terms.type());
        json.putPOJO("side", terms.side());
        json.putPOJO("time_in_force", terms.timeInForce());
        json.putPOJO("limit_price", terms.limitPrice());
        json.putPOJO("stop_price", terms.stopPrice());
        json.putPOJO("status", order.status());
        json.put("extended_hours", terms.extendedHours());
        ALWAYS_NULL.forEach(json::putNull);
        return json;
    }

    /** For {@code GET /_control/book}: the order, its account and its fills. */
    static ObjectNode withFills(VenueOrder order) {
        var json = of(order);
        json.put("account", order.account());
        json.putPOJO("fills", order.fills());
        return json;
    }

    private static void times(ObjectNode json, VenueOrder order) {
        json.putPOJO("created_at", order.createdAt());
        json.putPOJO("updated_at", order.updatedAt());
        json.putPOJO("submitted_at", order.createdAt());
        json.putPOJO("filled_at", endedAs(order, VenueOrderStatus.FILLED));
        json.putPOJO("expired_at", endedAs(order, VenueOrderStatus.EXPIRED));
        json.putPOJO("canceled_at", endedAs(order, VenueOrderStatus.CANCELED));
        json.putPOJO("replaced_at", endedAs(order, VenueOrderStatus.REPLACED));
    }

    private static @Nullable Instant endedAs(VenueOrder order, VenueOrderStatus status) {
        return order.status() == status ? order.endedAt() : null;
    }
}
