package dev.berth.host.broker.fix;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.account.AccountOrder;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import quickfix.Message;
import quickfix.field.AvgPx;
import quickfix.field.ClOrdID;
import quickfix.field.CumQty;
import quickfix.field.OrdStatus;
import quickfix.field.OrdType;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.StopPx;
import quickfix.field.Symbol;
import quickfix.field.TimeInForce;

/** A report of an order that works, as part of an account. */
final class FixOpenOrder {
    private FixOpenOrder() {}

    /** Empty when it cannot be read. */
    static Optional<AccountOrder> read(Message report) {
        try {
            return Optional.of(order(report));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static AccountOrder order(Message report) {
        Decimal filled = new Decimal(FixMessages.decimal(report, CumQty.FIELD));
        char status = FixMessages.text(report, OrdStatus.FIELD).charAt(0);
        return new AccountOrder(
                FixMessages.text(report, OrderID.FIELD),
                report.getOptionalString(ClOrdID.FIELD).orElse(null),
                FixMessages.text(report, Symbol.FIELD),
                side(code(report, Side.FIELD)),
                type(code(report, OrdType.FIELD)),
                timeInForce(code(report, TimeInForce.FIELD)),
                new Decimal(FixMessages.decimal(report, OrderQty.FIELD)),
                filled,
                price(report, Price.FIELD),
                price(report, StopPx.FIELD),
                filled.isPositive() ? price(report, AvgPx.FIELD) : null,
                FixStatus.of(status, false, filled),
                FixStatus.word(status, false),
                null,
                null,
                null);
    }

    private static char code(Message report, int tag) {
        return report.getOptionalString(tag)
                .filter(text -> text.length() == 1)
                .map(text -> text.charAt(0))
                .orElse('?');
    }

    private static @Nullable Decimal price(Message report, int tag) {
        BigDecimal price = report.isSetField(tag) ? FixMessages.decimal(report, tag) : BigDecimal.ZERO;
        return price.signum() > 0 ? Decimal.rounded(price) : null;
    }

    private static String side(char code) {
        return switch (code) {
            case Side.BUY -> "buy";
            case Side.SELL, Side.SELL_SHORT, Side.SELL_SHORT_EXEMPT -> "sell";
            default -> "54=" + code;
        };
    }

    private static String type(char code) {
        return switch (code) {
            case OrdType.MARKET -> "market";
            case OrdType.LIMIT -> "limit";
            case OrdType.STOP_STOP_LOSS -> "stop";
            case OrdType.STOP_LIMIT -> "stop_limit";
            default -> "40=" + code;
        };
    }

    /** Without the field an order is for the day. */
    private static String timeInForce(char code) {
        return switch (code) {
            case TimeInForce.DAY, '?' -> "day";
            case TimeInForce.GOOD_TILL_CANCEL -> "gtc";
            case TimeInForce.IMMEDIATE_OR_CANCEL -> "ioc";
            case TimeInForce.FILL_OR_KILL -> "fok";
            default -> "59=" + code;
        };
    }
}
