package dev.berth.local.venue;

import java.util.UUID;

/** Parses the JSON of a submission. */
final class OrderForms {

    private static final int LONGEST_CLIENT_ORDER_ID = 128;

    private OrderForms() {}

    /** {@code POST /v2/orders}; a {@link VenueRefusal} if the venue does not support the order. */
    static VenueOrderTerms order(Fields form, String clientOrderId) {
        if (form.text("notional") != null) {
            throw VenueRefusal.invalid("notional orders are not supported");
        }
        var orderClass = form.text("order_class");
        if (orderClass != null && !orderClass.equals("simple")) {
            throw VenueRefusal.invalid("order_class must be simple");
        }
        return new VenueOrderTerms(
                clientOrderId,
                Asset.canonical(form.requireText("symbol")),
                form.requireWord("side", VenueSide.class),
                form.requireWord("type", VenueOrderType.class),
                form.requireWord("time_in_force", VenueTimeInForce.class),
                form.requireDecimal("qty"),
                form.decimal("limit_price"),
                form.decimal("stop_price"),
                form.flag("extended_hours"));
    }

    /** {@code PATCH /v2/orders/{id}}: omitted fields keep their values, quantity included. */
    static VenueOrderTerms replacement(VenueOrderTerms old, Fields form, String clientOrderId) {
        var qty = form.decimal("qty");
        var timeInForce = form.word("time_in_force", VenueTimeInForce.class);
        var limitPrice = form.decimal("limit_price");
        var stopPrice = form.decimal("stop_price");
        return new VenueOrderTerms(
                clientOrderId,
                old.symbol(),
                old.side(),
                old.type(),
                timeInForce != null ? timeInForce : old.timeInForce(),
                qty != null ? qty : old.qty(),
                limitPrice != null ? limitPrice : old.limitPrice(),
                stopPrice != null ? stopPrice : old.stopPrice(),
                old.extendedHours());
    }

    /** The client's id, or a new one as in Alpaca. */
    static String clientOrderId(Fields form) {
        var given = form.text("client_order_id");
        if (given != null && given.length() > LONGEST_CLIENT_ORDER_ID) {
            throw VenueRefusal.clientOrderIdTooLong();
        }
        return given != null ? given : UUID.randomUUID().toString();
    }
}
