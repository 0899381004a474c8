package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Account activities of type FILL: every execution that was not busted. */
final class ActivityApi {

    private static final int MAX_PAGE_SIZE = 100;

    /** Alpaca's ids begin with New York's time. */
    private static final DateTimeFormatter ID_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS", Locale.ROOT).withZone(ZoneId.of("America/New_York"));

    private final Exchange exchange;

    ActivityApi(Exchange exchange) {
        this.exchange = exchange;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/account/activities/FILL", this::fills);
    }

    private record Activity(VenueOrder order, Fill fill, BigDecimal filledQty) {
        String id() {
            return ID_TIME.format(fill.time()) + "::" + fill.executionId();
        }

        Instant time() {
            return fill.time();
        }

        ObjectNode json() {
            var leaves = order.terms().qty().subtract(filledQty);
            var json = VenueJson.MAPPER.createObjectNode();
            json.put("id", id());
            json.put("activity_type", "FILL");
            json.putPOJO("transaction_time", time());
            json.put("type", leaves.signum() == 0 ? "fill" : "partial_fill");
            json.putPOJO("price", fill.price());
            json.putPOJO("qty", fill.qty());
            json.putPOJO("side", order.terms().side());
            json.put("symbol", order.terms().symbol());
            json.putPOJO("leaves_qty", leaves);
            json.put("order_id", order.id().toString());
            json.putPOJO("cum_qty", filledQty);
            json.putPOJO("order_status", order.status());
            return json;
        }
    }

    private void fills(Context ctx) {
        var account = Http.account(ctx, exchange);
        var orderId = orderId(ctx.queryParam("order_id"));
        var orders = exchange.read(book -> book.orders(account));
        var activities = orders.stream()
                .filter(order -> orderId == null || order.id().equals(orderId))
                .flatMap(order -> activities(order).stream())
                .sorted(Comparator.comparing(Activity::time))
                .toList();
        var ordered = "asc".equals(ctx.queryParam("direction")) ? activities : activities.reversed();
        Http.answer(ctx, 200, page(ordered, ctx).stream().map(Activity::json).toList());
    }

    private static List<Activity> activities(VenueOrder order) {
        var activities = new ArrayList<Activity>();
        var filled = BigDecimal.ZERO;
        for (var fill : order.fills()) {
            filled = filled.add(fill.qty());
            activities.add(new Activity(order, fill, filled));
        }
        return activities;
    }

    /** The activities after {@code page_token}. */
    private static List<Activity> page(List<Activity> activities, Context ctx) {
        var token = ctx.queryParam("page_token");
        int from = token == null
                ? 0
                : 1 + activities.stream().map(Activity::id).toList().indexOf(token);
        int size = pageSize(ctx.queryParam("page_size"));
        return activities.subList(from, Math.min(activities.size(), from + size));
    }

    private static int pageSize(@Nullable String text) {
        if (text == null) {
            return MAX_PAGE_SIZE;
        }
        if (!text.matches("[1-9]\\d{0,2}") || Integer.parseInt(text) > MAX_PAGE_SIZE) {
            throw VenueRefusal.invalid("invalid page_size \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }

    private static @Nullable UUID orderId(@Nullable String text) {
        try {
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw VenueRefusal.invalid("invalid order_id \"" + text + "\"");
        }
    }
}
