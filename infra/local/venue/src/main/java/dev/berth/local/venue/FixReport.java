package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import quickfix.field.AvgPx;
import quickfix.field.ClOrdID;
import quickfix.field.CumQty;
import quickfix.field.ExecID;
import quickfix.field.ExecRefID;
import quickfix.field.ExecType;
import quickfix.field.LastPx;
import quickfix.field.LastQty;
import quickfix.field.LeavesQty;
import quickfix.field.OrdStatus;
import quickfix.field.OrdType;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.StopPx;
import quickfix.field.Symbol;
import quickfix.field.TimeInForce;
import quickfix.field.TransactTime;
import quickfix.fix44.ExecutionReport;

/** An order of the book as FIX 35=8. */
final class FixReport {

    private FixReport() {}

    /** The order as it stands, 150=I. */
    static ExecutionReport status(VenueOrder order) {
        var report = of(order, ExecType.ORDER_STATUS, UUID.randomUUID(), order.updatedAt());
        report.setString(ClOrdID.FIELD, order.terms().clientOrderId());
        return report;
    }

    /** @param requestId ClOrdID of the OrderCancelRequest that ended the order; null without one */
    static ExecutionReport of(TradeUpdate update, @Nullable String requestId) {
        var order = update.order();
        var report = of(order, FixCodes.execType(update), update.executionId(), update.time());
        var id = order.terms().clientOrderId();
        report.setString(ClOrdID.FIELD, Objects.requireNonNullElse(requestId, id));
        var original = requestId != null ? id : update.replacedClientOrderId();
        if (original != null) {
            report.setString(OrigClOrdID.FIELD, original);
        }
        if (update.corrected() != null) {
            report.setString(ExecRefID.FIELD, update.corrected().toString());
        }
        if (update.fill() != null) {
            report.setString(LastQty.FIELD, VenueJson.plain(update.fill().qty()));
            report.setString(LastPx.FIELD, VenueJson.plain(update.fill().price()));
        }
        return report;
    }

    private static ExecutionReport of(VenueOrder order, char execType, UUID execId, Instant time) {
        var terms = order.terms();
        var report = new ExecutionReport();
        report.setString(OrderID.FIELD, order.id().toString());
        report.setString(ExecID.FIELD, execId.toString());
        report.setChar(ExecType.FIELD, execType);
        report.setChar(OrdStatus.FIELD, FixCodes.ordStatus(order.status()));
        report.setString(Symbol.FIELD, terms.symbol());
        report.setChar(Side.FIELD, FixCodes.of(terms.side()));
        report.setChar(OrdType.FIELD, FixCodes.of(terms.type()));
        report.setChar(TimeInForce.FIELD, FixCodes.of(terms.timeInForce()));
        var leaves = order.status().open() ? order.remainingQty() : BigDecimal.ZERO;
        report.setString(OrderQty.FIELD, VenueJson.plain(terms.qty()));
        report.setString(LeavesQty.FIELD, VenueJson.plain(leaves));
        report.setString(CumQty.FIELD, VenueJson.plain(order.filledQty()));
        var average = Objects.requireNonNullElse(order.averagePrice(), BigDecimal.ZERO);
        report.setString(AvgPx.FIELD, VenueJson.plain(average));
        if (terms.limitPrice() != null) {
            report.setString(Price.FIELD, VenueJson.plain(terms.limitPrice()));
        }
        if (terms.stopPrice() != null) {
            report.setString(StopPx.FIELD, VenueJson.plain(terms.stopPrice()));
        }
        report.setUtcTimeStamp(TransactTime.FIELD, LocalDateTime.ofInstant(time, ZoneOffset.UTC), true);
        return report;
    }
}
