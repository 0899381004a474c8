package dev.berth.local.venue;

import java.util.List;
import org.jspecify.annotations.Nullable;
import quickfix.FieldNotFound;
import quickfix.IncorrectTagValue;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.ExecType;
import quickfix.field.LastRptRequested;
import quickfix.field.MassStatusReqID;
import quickfix.field.MassStatusReqType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrdStatusReqID;
import quickfix.field.TotNumReports;

/** OrderStatusRequest and OrderMassStatusRequest. */
final class FixStatusRequests {

    private final Exchange exchange;
    private final FixSessions sessions;

    FixStatusRequests(Exchange exchange, FixSessions sessions) {
        this.exchange = exchange;
        this.sessions = sessions;
    }

    void report(String account, Message request) {
        var order = exchange.<@Nullable VenueOrder>read(book -> FixOrders.find(book, account, request, ClOrdID.FIELD));
        Message report = order == null
                ? FixRejections.order(request, OrdRejReason.UNKNOWN_ORDER, "order not found")
                : FixReport.status(order);
        request.getOptionalString(OrdStatusReqID.FIELD).ifPresent(id -> report.setString(OrdStatusReqID.FIELD, id));
        sessions.send(account, report);
    }

    /**
     * A report for each open order (585=7). Every answer has 150=I; without open orders it is one
     * that says so, with 39=8, 103=5 and 911=0.
     */
    void reportAll(String account, Message request) throws FieldNotFound, IncorrectTagValue {
        if (request.getInt(MassStatusReqType.FIELD) != MassStatusReqType.STATUS_FOR_ALL_ORDERS) {
            throw new IncorrectTagValue(MassStatusReqType.FIELD);
        }
        var orders = exchange.read(book -> book.openOrdersOf(account));
        var reports = orders.isEmpty()
                ? List.of(noOrders(request))
                : orders.stream().<Message>map(FixReport::status).toList();
        for (var report : reports) {
            report.setString(MassStatusReqID.FIELD, request.getString(MassStatusReqID.FIELD));
            report.setInt(TotNumReports.FIELD, orders.size());
            report.setBoolean(LastRptRequested.FIELD, report == reports.getLast());
            sessions.send(account, report);
        }
    }

    private static Message noOrders(Message request) {
        var report = FixRejections.order(request, OrdRejReason.UNKNOWN_ORDER, "no open orders");
        report.setChar(ExecType.FIELD, ExecType.ORDER_STATUS);
        return report;
    }
}
