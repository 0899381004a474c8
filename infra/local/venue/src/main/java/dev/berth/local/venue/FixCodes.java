package dev.berth.local.venue;

import java.util.Map;
import java.util.stream.Collectors;
import quickfix.field.CxlRejReason;
import quickfix.field.ExecType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrdStatus;
import quickfix.field.OrdType;
import quickfix.field.Side;
import quickfix.field.TimeInForce;

/** The one place where the book's words become FIX's codes, and FIX's the book's. */
final class FixCodes {

    private static final Map<VenueSide, Character> SIDES = Map.of(VenueSide.BUY, Side.BUY, VenueSide.SELL, Side.SELL);

    private static final Map<VenueOrderType, Character> TYPES = Map.of(
            VenueOrderType.MARKET, OrdType.MARKET,
            VenueOrderType.LIMIT, OrdType.LIMIT,
            VenueOrderType.STOP, OrdType.STOP_STOP_LOSS,
            VenueOrderType.STOP_LIMIT, OrdType.STOP_LIMIT);

    private static final Map<VenueTimeInForce, Character> TIMES_IN_FORCE = Map.of(
            VenueTimeInForce.DAY, TimeInForce.DAY,
            VenueTimeInForce.GTC, TimeInForce.GOOD_TILL_CANCEL,
            VenueTimeInForce.IOC, TimeInForce.IMMEDIATE_OR_CANCEL,
            VenueTimeInForce.FOK, TimeInForce.FILL_OR_KILL,
            VenueTimeInForce.OPG, TimeInForce.AT_THE_OPENING,
            VenueTimeInForce.CLS, TimeInForce.AT_THE_CLOSE);

    private static final Map<String, VenueSide> SIDE_OF = inverse(SIDES);
    private static final Map<String, VenueOrderType> TYPE_OF = inverse(TYPES);
    private static final Map<String, VenueTimeInForce> TIME_IN_FORCE_OF = inverse(TIMES_IN_FORCE);

    private FixCodes() {}

    private static <T> Map<String, T> inverse(Map<T, Character> codes) {
        return codes.entrySet().stream()
                .collect(Collectors.toMap(code -> code.getValue().toString(), Map.Entry::getKey));
    }

    static char of(VenueSide side) {
        return code(SIDES, side);
    }

    static char of(VenueOrderType type) {
        return code(TYPES, type);
    }

    static char of(VenueTimeInForce timeInForce) {
        return code(TIMES_IN_FORCE, timeInForce);
    }

    private static <T> char code(Map<T, Character> codes, T word) {
        var code = codes.get(word);
        if (code == null) {
            throw new IllegalStateException("FIX has no code for " + word);
        }
        return code;
    }

    /** @throws VenueRefusal if the venue has no such side */
    static VenueSide side(String code) {
        return word(SIDE_OF, "side", code);
    }

    /** @throws VenueRefusal if the venue has no such type */
    static VenueOrderType type(String code) {
        return word(TYPE_OF, "type", code);
    }

    /** @throws VenueRefusal if the venue has no such time in force */
    static VenueTimeInForce timeInForce(String code) {
        return word(TIME_IN_FORCE_OF, "time_in_force", code);
    }

    private static <T> T word(Map<String, T> words, String name, String code) {
        var word = words.get(code);
        if (word == null) {
            throw VenueRefusal.invalid("invalid " + name + " \"" + code + "\"");
        }
        return word;
    }

    static char ordStatus(VenueOrderStatus status) {
        return switch (status) {
            case ACCEPTED -> OrdStatus.PENDING_NEW;
            case NEW -> OrdStatus.NEW;
            case PARTIALLY_FILLED -> OrdStatus.PARTIALLY_FILLED;
            case FILLED -> OrdStatus.FILLED;
            case CANCELED -> OrdStatus.CANCELED;
            case REPLACED -> OrdStatus.REPLACED;
            case REJECTED -> OrdStatus.REJECTED;
            case EXPIRED -> OrdStatus.EXPIRED;
        };
    }

    static char execType(TradeUpdate update) {
        if (update.replacedClientOrderId() != null) {
            return ExecType.REPLACED;
        }
        return switch (update.event()) {
            case "fill", "partial_fill" -> ExecType.TRADE;
            case "trade_bust" -> ExecType.TRADE_CANCEL;
            case "trade_correct" -> ExecType.TRADE_CORRECT;
            // Its code is that of the status.
            default -> ordStatus(update.order().status());
        };
    }

    static int ordRejReason(VenueRefusal refusal) {
        return switch (refusal.kind()) {
            case DUPLICATE_ID -> OrdRejReason.DUPLICATE_ORDER;
            case UNKNOWN_SYMBOL -> OrdRejReason.UNKNOWN_SYMBOL;
            case UNKNOWN_ORDER -> OrdRejReason.UNKNOWN_ORDER;
            case EXCEEDS_LIMIT -> OrdRejReason.ORDER_EXCEEDS_LIMIT;
            case WRONG_STATE, OTHER -> OrdRejReason.OTHER;
        };
    }

    static int cxlRejReason(VenueRefusal refusal) {
        return switch (refusal.kind()) {
            case DUPLICATE_ID -> CxlRejReason.DUPLICATE_CLORDID_RECEIVED;
            case UNKNOWN_ORDER -> CxlRejReason.UNKNOWN_ORDER;
            case WRONG_STATE -> CxlRejReason.TOO_LATE_TO_CANCEL;
            case UNKNOWN_SYMBOL, EXCEEDS_LIMIT, OTHER -> CxlRejReason.OTHER;
        };
    }
}
