package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** Reads and closes positions. */
final class PositionApi {

    private final Exchange exchange;
    private final PositionClosing closing;

    PositionApi(Exchange exchange, PositionClosing closing) {
        this.exchange = exchange;
        this.closing = closing;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/positions", this::list);
        routes.get("/v2/positions/{symbol}", this::find);
        routes.delete("/v2/positions", this::closeAll);
        routes.delete("/v2/positions/{symbol}", this::close);
    }

    private void list(Context ctx) {
        var keyId = Http.account(ctx, exchange);
        var positions = exchange.read(book -> book.account(keyId).positions().stream()
                .map(position -> PositionJson.of(position, keyId, book))
                .toList());
        Http.answer(ctx, 200, positions);
    }

    private void find(Context ctx) {
        var keyId = Http.account(ctx, exchange);
        var symbol = Http.asset(ctx).symbol();
        var json = exchange.read(book -> PositionJson.of(book.account(keyId).requirePosition(symbol), keyId, book));
        Http.answer(ctx, 200, json);
    }

    private void close(Context ctx) {
        var keyId = Http.account(ctx, exchange);
        var order = closing.close(keyId, Http.asset(ctx).symbol(), ClosingQty.of(ctx));
        Http.answer(ctx, 200, OrderJson.of(order));
    }

    private void closeAll(Context ctx) {
        var keyId = Http.account(ctx, exchange);
        var closed = closing.closeAll(keyId, QueryParams.flag(ctx, "cancel_orders"));
        Http.answer(ctx, 207, closed.stream().map(PositionApi::json).toList());
    }

    private static ObjectNode json(PositionClosing.ClosedPosition closed) {
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("symbol", Asset.require(closed.symbol()).pairSymbol());
        if (closed.order() != null) {
            json.put("status", 200);
            json.set("body", OrderJson.of(closed.order()));
        } else if (closed.refusal() != null) {
            json.put("status", closed.refusal().httpStatus());
            json.putPOJO("body", closed.refusal().body());
        }
        return json;
    }
}
