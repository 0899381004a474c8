package dev.berth.local.venue;

import java.util.UUID;

/** Turns the JSON of a submission into terms. */
final class OrderForms {

    private OrderForms() {}

    /** {@code POST /v2/orders}; a {@link Refusal} if it is not an order that the venue knows. */
    static OrderTerms order(Fields form, String clientOrderId) {
        if (form.text("notional") != null) {
            throw Refusal.invalid("notional orders are not supported");
        }
        var orderClass = form.text("order_class");
        if (orderClass != null && !orderClass.equals("simple")) {
            throw Refusal.invalid("order_class must be simple");
        }
        return new OrderTerms(
                clientOrderId,
                form.requireText("symbol"),
                form.requireWord("side", Side.class),
                form.requireWord("type", OrderType.class),
                form.requireWord("time_in_force", TimeInForce.class),
                form.requireDecimal("qty"),
                form.decimal("limit_price"),
                form.decimal("stop_price"));
    }

    /** {@code PATCH /v2/orders/{id}}: what the form leaves out stays as it was, quantity included. */
    static OrderTerms replacement(OrderTerms old, Fields form, String clientOrderId) {
        var qty = form.decimal("qty");
        var timeInForce = form.word("time_in_force", TimeInForce.class);
        var limitPrice = form.decimal("limit_price");
        var stopPrice = form.decimal("stop_price");
        return new OrderTerms(
                clientOrderId,
                old.symbol(),
                old.side(),
                old.type(),
                timeInForce != null ? timeInForce : old.timeInForce(),
                qty != null ? qty : old.qty(),
                limitPrice != null ? limitPrice : old.limitPrice(),
                stopPrice != null ? stopPrice : old.stopPrice());
    }

    /** The client's own id, or a new one, as Alpaca makes it. */
    static String clientOrderId(Fields form) {
        var given = form.text("client_order_id");
        return given != null ? given : UUID.randomUUID().toString();
    }
}
