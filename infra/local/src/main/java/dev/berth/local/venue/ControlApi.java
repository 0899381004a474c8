package dev.berth.local.venue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The venue's own controls, without authentication: what a test sets and what it may look at. */
final class ControlApi {

    private final Exchange exchange;
    private final FaultDice dice;

    ControlApi(Exchange exchange, FaultDice dice) {
        this.exchange = exchange;
        this.dice = dice;
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
        routes.post("/_control/orders/{id}/repeat", ctx -> change(ctx, this::repeat));
        routes.get("/_control/book", this::book);
        routes.get("/_control/arrivals", this::arrivals);
    }

    @FunctionalInterface
    private interface Change {
        /** Carries it out and returns the answer's body. */
        Object apply(Context ctx);
    }

    /** Everything that a control does not understand is a 400. */
    private static void change(Context ctx, Change change) {
        try {
            Http.answer(ctx, 200, change.apply(ctx));
        } catch (Refusal | IllegalArgumentException e) {
            Http.answer(ctx, 400, Map.of("message", Objects.requireNonNullElse(e.getMessage(), "bad input")));
        }
    }

    private Quote setQuote(Context ctx) {
        var symbol =
                Asset.require(ctx.pathParam("symbol").toUpperCase(Locale.ROOT)).symbol();
        var form = Fields.of(ctx.body());
        var quote = new Quote(
                form.requireDecimal("bid"),
                form.requireDecimal("ask"),
                form.decimal("bidSize"),
                form.decimal("askSize"));
        exchange.setQuote(symbol, quote);
        return quote;
    }

    private Faults setFaults(Context ctx) {
        try {
            var faults = Json.MAPPER.treeToValue(Json.object(ctx.body()), Faults.class);
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

    /** {@code {"status": "rejected"|"expired"|"canceled"}}: what a market does to an order by itself. */
    private Map<String, OrderStatus> endOrder(Context ctx) {
        var status = Fields.of(ctx.body()).requireWord("status", OrderStatus.class);
        if (status != OrderStatus.REJECTED && status != OrderStatus.EXPIRED && status != OrderStatus.CANCELED) {
            throw new IllegalArgumentException("status must be rejected, expired or canceled");
        }
        exchange.end(Http.orderId(ctx.pathParam("id")), status);
        return Map.of("status", status);
    }

    /** {@code {"qty", "price"}}: an execution of an order that is over, told late. */
    private Fill executeLate(Context ctx) {
        var form = Fields.of(ctx.body());
        return exchange.executeLate(
                Http.orderId(ctx.pathParam("id")), form.requireDecimal("qty"), form.requireDecimal("price"));
    }

    /** {@code {"executionId"}}: takes that execution back. */
    private Fill bust(Context ctx) {
        var execution = UUID.fromString(Fields.of(ctx.body()).requireText("executionId"));
        return exchange.bust(Http.orderId(ctx.pathParam("id")), execution);
    }

    /** Tells of every execution of an order again. */
    private Map<String, List<Fill>> repeat(Context ctx) {
        return Map.of("executions", exchange.repeat(Http.orderId(ctx.pathParam("id"))));
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
