package dev.berth.host.broker.fix;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderStatus;
import quickfix.field.OrdStatus;

/** FIX's OrdStatus (39) in Berth's words. */
final class FixStatus {
    private FixStatus() {}

    /**
     * The status of an order.
     *
     * @param replaces whether it is the report of the version that takes another's place, which
     *     some counterparties call replaced, too
     */
    static OrderStatus of(char code, boolean replaces, Decimal filled) {
        return switch (code) {
            case OrdStatus.FILLED -> OrderStatus.FILLED;
            case OrdStatus.CANCELED -> OrderStatus.CANCELED;
            case OrdStatus.REJECTED -> OrderStatus.REJECTED;
            case OrdStatus.EXPIRED -> OrderStatus.EXPIRED;
            case OrdStatus.PENDING_CANCEL -> OrderStatus.PENDING_CANCEL;
            case OrdStatus.PENDING_REPLACE -> OrderStatus.PENDING_REPLACE;
            case OrdStatus.REPLACED -> replaces ? working(filled) : OrderStatus.PENDING_REPLACE;
            // Such as done for the day, or suspended: it may trade again.
            default -> working(filled);
        };
    }

    private static OrderStatus working(Decimal filled) {
        return filled.isPositive() ? OrderStatus.PARTIALLY_FILLED : OrderStatus.NEW;
    }

    /** FIX's name of it. */
    static String word(char code, boolean replaces) {
        return switch (code) {
            case OrdStatus.NEW -> "new";
            case OrdStatus.PARTIALLY_FILLED -> "partially_filled";
            case OrdStatus.FILLED -> "filled";
            case OrdStatus.DONE_FOR_DAY -> "done_for_day";
            case OrdStatus.CANCELED -> "canceled";
            case OrdStatus.REPLACED -> replaces ? "new" : OrderPolicies.REPLACED;
            case OrdStatus.PENDING_CANCEL -> "pending_cancel";
            case OrdStatus.STOPPED -> "stopped";
            case OrdStatus.REJECTED -> "rejected";
            case OrdStatus.SUSPENDED -> "suspended";
            case OrdStatus.PENDING_NEW -> "pending_new";
            case OrdStatus.CALCULATED -> "calculated";
            case OrdStatus.EXPIRED -> "expired";
            case OrdStatus.PENDING_REPLACE -> "pending_replace";
            default -> "39=" + code;
        };
    }
}
