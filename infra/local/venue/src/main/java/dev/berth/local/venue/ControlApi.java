package dev.berth.local.venue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Controls for tests, without authentication. */
final class ControlApi {

    private final Exchange exchange;
    private final MarketControl market;
    private final FaultDice dice;
    private final TradeUpdates updates;

    ControlApi(Exchange exchange, MarketControl market, FaultDice dice, TradeUpdates updates) {
        this.exchange = exchange;
        this.market = market;
        this.dice = dice;
        this.updates = updates;
    }

    void register(RoutesConfig routes) {
        routes.get("/_control/health", ctx -> Http.answer(ctx, 200, Map.of("status", "up")));
        routes.get("/_control/quotes", ctx -> Http.answer(ctx, 200, exchange.read(Book::quotes)));
        routes.put("/_control/quotes/{symbol}", ctx -> change(ctx, this::setQuote));
        routes.get("/_control/faults", ctx -> Http.answer(ctx, 200, dice.faults()));
        routes.put("/_control/faults", ctx -> change(ctx, this::setFaults));
        routes.put("/_control/orders/{id}", ctx -> change(ctx, this::endOrder));
        routes.post("/_control/orders/{id}/executions", ctx -> change(ctx, this::executeLate));
        routes.post("/_control/orders/{id}/busts", ctx -> change(ctx, this::bust));
        routes.post("/_control/orders/{id}/corrections", ctx -> change(ctx, this::correct));
        routes.post("/_control/orders/{id}/repeat", ctx -> change(ctx, this::repeat));
        routes.post("/_control/streams/cut", ctx -> change(ctx, _ -> Map.of("cut", updates.cut())));
        routes.get("/_control/book", this::book);
        routes.get("/_control/arrivals", this::arrivals);
    }

    @FunctionalInterface
    interface ControlAction {
        /** Returns the body of the response. */
        Object apply(Context ctx);
    }

    /** Invalid input is a 400. */
    static void change(Context ctx, ControlAction action) {
        try {
            Http.answer(ctx, 200, action.apply(ctx));
        } catch (VenueRefusal | IllegalArgumentException e) {
            Http.answer(ctx, 400, Map.of("message", Objects.requireNonNullElse(e.getMessage(), "bad input")));
        }
    }

    private VenueQuote setQuote(Context ctx) {
        var symbol = Http.asset(ctx).symbol();
        var form = Fields.of(ctx.body());
        var quote = new VenueQuote(
                form.requireDecimal("bid"),
                form.requireDecimal("ask"),
                form.decimal("bidSize"),
                form.decimal("askSize"));
        exchange.setQuote(symbol, quote);
        return quote;
    }

    private VenueFaults setFaults(Context ctx) {
        try {
            var faults = VenueJson.MAPPER.treeToValue(VenueJson.object(ctx.body()), VenueFaults.class);
            dice.set(faults);
            return faults;
        } catch (UnrecognizedPropertyException e) {
            throw new IllegalArgumentException("unknown field " + e.getPropertyName(), e);
        } catch (JsonProcessingException e) {
            var cause = e.getCause();
            var message = cause == null ? e.getOriginalMessage() : cause.getMessage();
            throw new IllegalArgumentException(message, e);
        }
    }

    /** {@code {"status": "rejected"|"expired"|"canceled"}}: ends an order as the market would. */
    private Map<String, VenueOrderStatus> endOrder(Context ctx) {
        var status = Fields.of(ctx.body()).requireWord("status", VenueOrderStatus.class);
        if (status != VenueOrderStatus.REJECTED
                && status != VenueOrderStatus.EXPIRED
                && status != VenueOrderStatus.CANCELED) {
            throw new IllegalArgumentException("status must be rejected, expired or canceled");
        }
        market.end(Http.orderId(ctx.pathParam("id")), status);
        return Map.of("status", status);
    }

    /** {@code {"qty", "price"}}: a late execution of a final order. */
    private Fill executeLate(Context ctx) {
        var form = Fields.of(ctx.body());
        return market.executeLate(
                Http.orderId(ctx.pathParam("id")), form.requireDecimal("qty"), form.requireDecimal("price"));
    }

    /** {@code {"executionId"}}: busts that execution. */
    private Fill bust(Context ctx) {
        var execution = UUID.fromString(Fields.of(ctx.body()).requireText("executionId"));
        return market.bust(Http.orderId(ctx.pathParam("id")), execution);
    }

    /** {@code {"executionId", "price"}}: corrects that execution. */
    private Fill correct(Context ctx) {
        var form = Fields.of(ctx.body());
        var execution = UUID.fromString(form.requireText("executionId"));
        return market.correct(Http.orderId(ctx.pathParam("id")), execution, form.requireDecimal("price"));
    }

    /** Sends every execution of an order again. */
    private Map<String, List<Fill>> repeat(Context ctx) {
        return Map.of("executions", market.repeat(Http.orderId(ctx.pathParam("id"))));
    }

    private void book(Context ctx) {
        var orders = exchange.read(Book::orders);
        var json = orders.stream().map(OrderJson::withFills).toList();
        Http.answer(ctx, 200, Map.of("orders", json));
    }

    private void arrivals(Context ctx) {
        Http.answer(ctx, 200, Map.of("arrivals", exchange.read(Book::arrivals)));
    }
}
