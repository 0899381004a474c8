package dev.berth.host.broker;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.UtcTimestampPrecision;
import quickfix.field.AvgPx;
import quickfix.field.BeginSeqNo;
import quickfix.field.BusinessRejectReason;
import quickfix.field.BusinessRejectRefID;
import quickfix.field.ClOrdID;
import quickfix.field.CumQty;
import quickfix.field.EndSeqNo;
import quickfix.field.ExecID;
import quickfix.field.ExecRefID;
import quickfix.field.ExecType;
import quickfix.field.LastPx;
import quickfix.field.LastQty;
import quickfix.field.LastRptRequested;
import quickfix.field.LeavesQty;
import quickfix.field.MassCancelResponse;
import quickfix.field.MassStatusReqID;
import quickfix.field.MsgSeqNum;
import quickfix.field.MsgType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrdStatus;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.PossResend;
import quickfix.field.Price;
import quickfix.field.RefMsgType;
import quickfix.field.RefSeqNum;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.field.Text;
import quickfix.field.TransactTime;

/** What {@link FixBroker} says. */
final class FixReportMessages {
    /** The symbol of an order in which nothing but the ids can be read. */
    private static final String UNREADABLE = "?";

    private FixReportMessages() {}

    private static Message message(String type) {
        Message message = new Message();
        message.getHeader().setString(MsgType.FIELD, type);
        return message;
    }

    private static Message report(String clientId, String orderId, char execType) {
        Message report = message(MsgType.EXECUTION_REPORT);
        report.setString(ClOrdID.FIELD, clientId);
        report.setString(OrderID.FIELD, orderId);
        report.setString(ExecID.FIELD, "0");
        report.setChar(ExecType.FIELD, execType);
        return report;
    }

    /** Without a status. */
    static Message garbled(String clientId, char execType) {
        return report(clientId, "NONE", execType);
    }

    static Message rejected(String clientId, int reason, String text) {
        Message report = report(clientId, "NONE", ExecType.REJECTED);
        report.setChar(OrdStatus.FIELD, OrdStatus.REJECTED);
        report.setInt(OrdRejReason.FIELD, reason);
        report.setString(Text.FIELD, text);
        return report;
    }

    /** The order as it is. */
    static Message of(FakeExchange.Order order, char execType) {
        Message report = report(order.clientId(), order.id(), execType);
        if (order.symbol().equals(UNREADABLE)) {
            return report;
        }
        report.setChar(OrdStatus.FIELD, status(order));
        report.setString(Symbol.FIELD, order.symbol());
        report.setString(Side.FIELD, order.side());
        report.setDecimal(OrderQty.FIELD, order.quantity());
        report.setDecimal(CumQty.FIELD, order.filled());
        report.setDecimal(LeavesQty.FIELD, order.quantity().subtract(order.filled()));
        report.setDecimal(AvgPx.FIELD, average(order));
        time(report, order.updatedAt());
        if (order.limit() != null) {
            report.setDecimal(Price.FIELD, order.limit());
        }
        return report;
    }

    private static void time(Message report, Instant time) {
        LocalDateTime utc = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
        report.setUtcTimeStamp(TransactTime.FIELD, utc, UtcTimestampPrecision.MICROS);
    }

    private static BigDecimal average(FakeExchange.Order order) {
        BigDecimal filled = order.filled();
        return filled.signum() == 0
                ? BigDecimal.ZERO
                : order.fills().stream()
                        .map(fill -> fill.quantity().multiply(fill.price()))
                        .reduce(BigDecimal.ZERO, BigDecimal::add)
                        .divide(filled, MathContext.DECIMAL32);
    }

    private static char status(FakeExchange.Order order) {
        return switch (order.status()) {
            case "new" -> OrdStatus.NEW;
            case "partially_filled" -> OrdStatus.PARTIALLY_FILLED;
            case "filled" -> OrdStatus.FILLED;
            case "canceled" -> OrdStatus.CANCELED;
            default -> OrdStatus.REPLACED;
        };
    }

    /** @param cancelId of the cancel that ended the order; null for any other event */
    static Message event(FakeExchange.Event event, @Nullable String cancelId) {
        FakeExchange.Fill fill = event.fill();
        if (fill == null) {
            Message report = of(event.order(), ExecType.CANCELED);
            if (cancelId != null) {
                report.setString(ClOrdID.FIELD, cancelId);
                report.setString(OrigClOrdID.FIELD, event.order().clientId());
            }
            return report;
        }
        Message report = of(event.order(), event.corrected() == null ? ExecType.TRADE : ExecType.TRADE_CORRECT);
        if (event.corrected() != null) {
            report.setString(ExecRefID.FIELD, event.corrected().id());
        }
        report.setString(ExecID.FIELD, fill.id());
        report.setDecimal(LastQty.FIELD, fill.quantity());
        report.setDecimal(LastPx.FIELD, fill.price());
        time(report, fill.time());
        return report;
    }

    static Message replacement(FakeExchange.Order next, String replaced) {
        Message report = of(next, ExecType.REPLACED);
        report.setString(OrigClOrdID.FIELD, replaced);
        return report;
    }

    static Message cancelRejected(String requestId, String orderId, String text) {
        Message refusal = message(MsgType.ORDER_CANCEL_REJECT);
        refusal.setString(ClOrdID.FIELD, requestId);
        refusal.setString(OrigClOrdID.FIELD, orderId);
        refusal.setString(Text.FIELD, text);
        return refusal;
    }

    static Message unavailable(Message request, String clientId) throws FieldNotFound {
        Message reject = message(MsgType.BUSINESS_MESSAGE_REJECT);
        reject.setString(RefMsgType.FIELD, request.getHeader().getString(MsgType.FIELD));
        reject.setInt(RefSeqNum.FIELD, request.getHeader().getInt(MsgSeqNum.FIELD));
        reject.setString(BusinessRejectRefID.FIELD, clientId);
        reject.setInt(BusinessRejectReason.FIELD, BusinessRejectReason.APPLICATION_NOT_AVAILABLE);
        reject.setString(Text.FIELD, "busy");
        return reject;
    }

    /** Without orders, one report says so. */
    static List<Message> list(String requestId, List<FakeExchange.Order> orders) {
        List<Message> reports = new ArrayList<>();
        orders.forEach(order -> reports.add(of(order, ExecType.ORDER_STATUS)));
        if (orders.isEmpty()) {
            reports.add(rejected("NONE", OrdRejReason.UNKNOWN_ORDER, "no open orders"));
        }
        reports.forEach(report -> report.setString(MassStatusReqID.FIELD, requestId));
        reports.getLast().setBoolean(LastRptRequested.FIELD, true);
        return reports;
    }

    static Message massCancel(String requestId) {
        Message report = message(MsgType.ORDER_MASS_CANCEL_REPORT);
        report.setString(ClOrdID.FIELD, requestId);
        report.setChar(MassCancelResponse.FIELD, MassCancelResponse.CANCEL_ALL_ORDERS);
        return report;
    }

    static Message bust(FakeExchange.Event trade) {
        Message report = event(trade, null);
        report.setChar(ExecType.FIELD, ExecType.TRADE_CANCEL);
        report.setString(ExecRefID.FIELD, report.getOptionalString(ExecID.FIELD).orElseThrow());
        report.setString(ExecID.FIELD, "bust-1");
        report.removeField(LastPx.FIELD);
        return report;
    }

    static Message possiblySentBefore(Message report) {
        report.getHeader().setBoolean(PossResend.FIELD, true);
        return report;
    }

    static Message resendRequest() {
        Message request = message(MsgType.RESEND_REQUEST);
        request.setInt(BeginSeqNo.FIELD, 1);
        request.setInt(EndSeqNo.FIELD, 0);
        return request;
    }
}
