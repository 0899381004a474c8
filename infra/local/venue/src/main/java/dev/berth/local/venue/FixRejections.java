package dev.berth.local.venue;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import quickfix.Message;
import quickfix.field.AvgPx;
import quickfix.field.BusinessRejectReason;
import quickfix.field.BusinessRejectRefID;
import quickfix.field.ClOrdID;
import quickfix.field.CumQty;
import quickfix.field.CxlRejReason;
import quickfix.field.CxlRejResponseTo;
import quickfix.field.ExecID;
import quickfix.field.ExecType;
import quickfix.field.LeavesQty;
import quickfix.field.MsgSeqNum;
import quickfix.field.MsgType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrdStatus;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.RefMsgType;
import quickfix.field.RefSeqNum;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.field.Text;
import quickfix.field.TransactTime;
import quickfix.fix44.BusinessMessageReject;
import quickfix.fix44.ExecutionReport;
import quickfix.fix44.OrderCancelReject;

/** What FIX says of a request that the book did not carry out. */
final class FixRejections {

    /** FIX's OrderID where there is no order. */
    private static final String NO_ORDER = "NONE";

    private static final String NOT_APPLICABLE = "[N/A]";

    private FixRejections() {}

    /** A report of no order, 39=8, which repeats the ids and the instrument of the request. */
    static ExecutionReport order(Message request, int reason, String text) {
        var report = new ExecutionReport();
        report.setString(OrderID.FIELD, text(request, OrderID.FIELD, NO_ORDER));
        report.setString(ExecID.FIELD, UUID.randomUUID().toString());
        report.setChar(ExecType.FIELD, ExecType.REJECTED);
        report.setChar(OrdStatus.FIELD, OrdStatus.REJECTED);
        report.setInt(OrdRejReason.FIELD, reason);
        report.setString(Symbol.FIELD, text(request, Symbol.FIELD, NOT_APPLICABLE));
        report.setString(Side.FIELD, text(request, Side.FIELD, String.valueOf(Side.UNDISCLOSED)));
        for (int tag : new int[] {ClOrdID.FIELD, OrderQty.FIELD}) {
            request.getOptionalString(tag).ifPresent(value -> report.setString(tag, value));
        }
        report.setInt(LeavesQty.FIELD, 0);
        report.setInt(CumQty.FIELD, 0);
        report.setInt(AvgPx.FIELD, 0);
        report.setString(Text.FIELD, text);
        report.setUtcTimeStamp(TransactTime.FIELD, LocalDateTime.ofInstant(Instant.now(), ZoneOffset.UTC), true);
        return report;
    }

    /**
     * A refused cancel or replacement.
     *
     * @param order as it stands; null: the venue does not know it
     */
    static OrderCancelReject cancel(Message request, @Nullable VenueOrder order, int reason, String text) {
        var reject = new OrderCancelReject();
        reject.setString(OrderID.FIELD, order == null ? NO_ORDER : order.id().toString());
        reject.setString(ClOrdID.FIELD, text(request, ClOrdID.FIELD, NO_ORDER));
        reject.setString(OrigClOrdID.FIELD, text(request, OrigClOrdID.FIELD, NO_ORDER));
        var status = order == null ? OrdStatus.REJECTED : FixCodes.ordStatus(order.status());
        reject.setChar(OrdStatus.FIELD, status);
        boolean replaces = MsgType.ORDER_CANCEL_REPLACE_REQUEST.equals(type(request));
        reject.setChar(
                CxlRejResponseTo.FIELD,
                replaces ? CxlRejResponseTo.ORDER_CANCEL_REPLACE_REQUEST : CxlRejResponseTo.ORDER_CANCEL_REQUEST);
        reject.setInt(CxlRejReason.FIELD, reason);
        reject.setString(Text.FIELD, text);
        return reject;
    }

    /** The venue cannot carry out anything at the moment, 380=4. */
    static BusinessMessageReject unavailable(Message request, String text) {
        var reject = new BusinessMessageReject();
        reject.setString(RefMsgType.FIELD, type(request));
        request.getHeader()
                .getOptionalString(MsgSeqNum.FIELD)
                .ifPresent(number -> reject.setString(RefSeqNum.FIELD, number));
        reject.setString(BusinessRejectRefID.FIELD, text(request, ClOrdID.FIELD, NO_ORDER));
        reject.setInt(BusinessRejectReason.FIELD, BusinessRejectReason.APPLICATION_NOT_AVAILABLE);
        reject.setString(Text.FIELD, text);
        return reject;
    }

    static String type(Message message) {
        return message.getHeader().getOptionalString(MsgType.FIELD).orElse("");
    }

    private static String text(Message message, int tag, String absent) {
        return Objects.requireNonNullElse(FixTerms.text(message, tag), absent);
    }
}
