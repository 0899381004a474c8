package dev.berth.local.venue;

import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import quickfix.Message;
import quickfix.field.OrdType;
import quickfix.field.OrderQty;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.StopPx;
import quickfix.field.Symbol;
import quickfix.field.TimeInForce;

/** Parses the terms of a FIX order. What the venue does not support is a {@link VenueRefusal}. */
final class FixTerms {

    /** The epoch of the worker that sends, which REST carries in a header. */
    static final int BERTH_EPOCH = 20001;

    private FixTerms() {}

    /** Of a NewOrderSingle; without TimeInForce it is for the day. */
    static VenueOrderTerms order(Message message, String clientOrderId) {
        return new VenueOrderTerms(
                clientOrderId,
                Asset.canonical(required("symbol", text(message, Symbol.FIELD))),
                FixCodes.side(required("side", text(message, Side.FIELD))),
                FixCodes.type(required("type", text(message, OrdType.FIELD))),
                FixCodes.timeInForce(Objects.requireNonNullElse(text(message, TimeInForce.FIELD), "0")),
                required("qty", decimal(message, "qty", OrderQty.FIELD)),
                decimal(message, "limit_price", Price.FIELD),
                decimal(message, "stop_price", StopPx.FIELD),
                false);
    }

    /** Of an OrderCancelReplaceRequest: omitted fields keep their values, as in REST. */
    static VenueOrderTerms replacement(VenueOrderTerms old, Message message, String clientOrderId) {
        requireSame("symbol", old.symbol(), Asset.canonical(required("symbol", text(message, Symbol.FIELD))));
        requireSame("side", old.side(), FixCodes.side(required("side", text(message, Side.FIELD))));
        requireSame("type", old.type(), FixCodes.type(required("type", text(message, OrdType.FIELD))));
        var timeInForce = text(message, TimeInForce.FIELD);
        var qty = decimal(message, "qty", OrderQty.FIELD);
        var limitPrice = decimal(message, "limit_price", Price.FIELD);
        var stopPrice = decimal(message, "stop_price", StopPx.FIELD);
        return new VenueOrderTerms(
                clientOrderId,
                old.symbol(),
                old.side(),
                old.type(),
                timeInForce != null ? FixCodes.timeInForce(timeInForce) : old.timeInForce(),
                qty != null ? qty : old.qty(),
                limitPrice != null ? limitPrice : old.limitPrice(),
                stopPrice != null ? stopPrice : old.stopPrice(),
                old.extendedHours());
    }

    private static void requireSame(String name, Object old, Object wanted) {
        if (!old.equals(wanted)) {
            throw VenueRefusal.invalid("a replacement cannot change the " + name);
        }
    }

    /** Null without the epoch, or with one that is no number. */
    static @Nullable Long epoch(Message message) {
        var epoch = text(message, BERTH_EPOCH);
        return epoch != null && epoch.matches("\\d{1,18}") ? Long.valueOf(epoch) : null;
    }

    static @Nullable String text(Message message, int tag) {
        return message.getOptionalString(tag).orElse(null);
    }

    private static @Nullable BigDecimal decimal(Message message, String name, int tag) {
        var text = text(message, tag);
        return text == null ? null : Fields.parse(name, text);
    }

    private static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw VenueRefusal.invalid(name + " is required");
        }
        return value;
    }
}
