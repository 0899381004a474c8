package dev.berth.host.broker;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import java.time.Instant;
import java.util.List;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.field.AvgPx;
import quickfix.field.ClOrdID;
import quickfix.field.CumQty;
import quickfix.field.ExecID;
import quickfix.field.ExecRefID;
import quickfix.field.ExecType;
import quickfix.field.LastPx;
import quickfix.field.LastQty;
import quickfix.field.OrdRejReason;
import quickfix.field.OrdStatus;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.Text;
import quickfix.field.TransactTime;

/** FIX 35=8 as {@link ExecutionReport}. */
final class FixReports {
    private FixReports() {}

    static ExecutionReport report(Message fix, long epoch) throws FieldNotFound {
        int version = VenueClientOrderId.parse(fix.getString(ClOrdID.FIELD)).version();
        char status = fix.getChar(OrdStatus.FIELD);
        if (status == OrdStatus.REJECTED) {
            return rejected(new Reason(Reason.Category.BROKER, "refused", fix.getString(Text.FIELD)), epoch);
        }
        Decimal filled = new Decimal(fix.getDecimal(CumQty.FIELD));
        return new ExecutionReport(
                version,
                new Decimal(fix.getDecimal(OrderQty.FIELD)),
                status(status),
                status == OrdStatus.REPLACED ? OrderPolicies.REPLACED : String.valueOf(status),
                fix.getString(OrderID.FIELD),
                filled,
                filled.isPositive() ? new Decimal(fix.getDecimal(AvgPx.FIELD)) : null,
                null,
                Instant.parse(fix.getString(TransactTime.FIELD)),
                executions(fix, version),
                Instant.now(),
                epoch);
    }

    private static List<Execution> executions(Message fix, int version) throws FieldNotFound {
        return switch (fix.getChar(ExecType.FIELD)) {
            case ExecType.TRADE -> List.of(execution(fix, ExecID.FIELD, version, false));
            case ExecType.TRADE_CORRECT ->
                List.of(execution(fix, ExecRefID.FIELD, version, true), execution(fix, ExecID.FIELD, version, false));
            default -> List.of();
        };
    }

    static boolean isRejectedFor(Message fix, int reason) throws FieldNotFound {
        return fix.isSetField(OrdRejReason.FIELD) && fix.getInt(OrdRejReason.FIELD) == reason;
    }

    private static Execution execution(Message fix, int idField, int version, boolean busted) throws FieldNotFound {
        return new Execution(
                fix.getString(idField),
                version,
                new Decimal(fix.getDecimal(LastQty.FIELD)),
                new Decimal(fix.getDecimal(LastPx.FIELD)),
                Instant.parse(fix.getString(TransactTime.FIELD)),
                busted);
    }

    private static OrderStatus status(char status) {
        return switch (status) {
            case OrdStatus.PARTIALLY_FILLED -> OrderStatus.PARTIALLY_FILLED;
            case OrdStatus.FILLED -> OrderStatus.FILLED;
            case OrdStatus.CANCELED -> OrderStatus.CANCELED;
            case OrdStatus.REPLACED -> OrderStatus.PENDING_REPLACE;
            default -> OrderStatus.NEW;
        };
    }

    static ExecutionReport rejected(Reason reason, long epoch) {
        return LineReports.rejected(reason, epoch);
    }
}
