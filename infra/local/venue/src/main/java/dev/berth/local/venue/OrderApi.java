package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and cancels orders. */
final class OrderApi {

    private final Exchange exchange;
    private final FaultDice dice;

    OrderApi(Exchange exchange, FaultDice dice) {
        this.exchange = exchange;
        this.dice = dice;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/orders", this::list);
        routes.get("/v2/orders:by_client_order_id", this::findByClientOrderId);
        routes.get("/v2/orders/{id}", this::find);
        routes.delete("/v2/orders/{id}", this::cancel);
        routes.delete("/v2/orders", this::cancelAll);
    }

    private void list(Context ctx) {
        var account = Http.account(ctx, exchange);
        var query = VenueOrderQuery.of(ctx);
        var orders = exchange.read(book -> book.orders(account));
        Http.answer(
                ctx,
                200,
                Stream.concat(query.select(orders).map(OrderJson::of), dice.faults().foreignOrders().stream())
                        .toList());
    }

    private void find(Context ctx) {
        var account = Http.account(ctx, exchange);
        var id = Http.orderId(ctx.pathParam("id"));
        var order = exchange.<@Nullable VenueOrder>read(book -> book.findOrder(id));
        boolean owned = order != null && order.account().equals(account);
        answer(ctx, owned ? order : null, id.toString());
    }

    private void findByClientOrderId(Context ctx) {
        var account = Http.account(ctx, exchange);
        var id = ctx.queryParam("client_order_id");
        if (id == null) {
            throw VenueRefusal.invalid("client_order_id is required");
        }
        answer(ctx, exchange.<@Nullable VenueOrder>read(book -> book.findOrder(account, id)), id);
    }

    private static void answer(Context ctx, @Nullable VenueOrder order, String id) {
        if (order == null) {
            throw VenueRefusal.orderNotFound(id);
        }
        Http.answer(ctx, 200, OrderJson.of(order));
    }

    private void cancel(Context ctx) {
        exchange.cancel(Http.account(ctx, exchange), Http.orderId(ctx.pathParam("id")));
        ctx.status(204);
    }

    private void cancelAll(Context ctx) {
        var canceled = exchange.cancelAll(Http.account(ctx, exchange));
        Http.answer(ctx, 207, canceled.stream().map(OrderApi::canceled).toList());
    }

    private static Map<String, Object> canceled(VenueOrder order) {
        var line = new LinkedHashMap<String, Object>();
        line.put("id", order.id());
        line.put("status", 200);
        return line;
    }
}
