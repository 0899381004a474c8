package dev.berth.local.venue;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.CxlRejReason;
import quickfix.field.MassCancelRejectReason;
import quickfix.field.MassCancelRequestType;
import quickfix.field.MassCancelResponse;
import quickfix.field.OrderID;
import quickfix.field.OrigClOrdID;
import quickfix.field.Symbol;
import quickfix.field.TotalAffectedOrders;
import quickfix.fix44.OrderMassCancelReport;

/** OrderCancelRequest and OrderMassCancelRequest. The reports of the book say what was canceled. */
final class FixCancels {

    private final Exchange exchange;
    private final FixSessions sessions;
    private final FixReporter reporter;

    FixCancels(Exchange exchange, FixSessions sessions, FixReporter reporter) {
        this.exchange = exchange;
        this.sessions = sessions;
        this.reporter = reporter;
    }

    void cancel(String account, Message request) throws FieldNotFound {
        var requestId = request.getString(ClOrdID.FIELD);
        var order = find(account, request);
        if (order == null) {
            reject(account, request, null, CxlRejReason.UNKNOWN_ORDER, "order not found");
            return;
        }
        if (isUsed(account, requestId)) {
            reject(account, request, order, CxlRejReason.DUPLICATE_CLORDID_RECEIVED, "ClOrdID must be unique");
            return;
        }
        reporter.expectCancel(order.id(), requestId);
        try {
            exchange.cancel(account, order.id());
        } catch (VenueRefusal refusal) {
            var text = String.valueOf(refusal.getMessage());
            reject(account, request, find(account, request), FixCodes.cxlRejReason(refusal), text);
        } finally {
            reporter.forgetCancel(order.id());
        }
    }

    private @Nullable VenueOrder find(String account, Message request) {
        return exchange.read(book -> FixOrders.find(book, account, request, OrigClOrdID.FIELD));
    }

    private boolean isUsed(String account, String id) {
        return exchange.<Boolean>read(book -> book.findOrder(account, id) != null);
    }

    private void reject(String account, Message request, @Nullable VenueOrder order, int reason, String text) {
        sessions.send(account, FixRejections.cancel(request, order, reason, text));
    }

    /** All orders (530=7), or those of a symbol (530=1). */
    void cancelAll(String account, Message request) throws FieldNotFound {
        switch (request.getChar(MassCancelRequestType.FIELD)) {
            case MassCancelRequestType.CANCEL_ALL_ORDERS -> confirm(account, request, exchange.cancelAll(account));
            case MassCancelRequestType.CANCEL_ORDERS_FOR_A_SECURITY -> cancelSymbol(account, request);
            default -> refuse(account, request, MassCancelRejectReason.MASS_CANCEL_NOT_SUPPORTED);
        }
    }

    private void cancelSymbol(String account, Message request) throws FieldNotFound {
        var symbol = Asset.canonical(request.getString(Symbol.FIELD));
        if (!Asset.ALL.containsKey(symbol)) {
            refuse(account, request, MassCancelRejectReason.INVALID_OR_UNKNOWN_SECURITY);
            return;
        }
        var canceled =
                exchange.cancelAll(account, order -> order.terms().symbol().equals(symbol));
        confirm(account, request, canceled);
    }

    /** The type of the request is also the code of the response. */
    private void confirm(String account, Message request, List<VenueOrder> canceled) throws FieldNotFound {
        var report = report(request, request.getChar(MassCancelRequestType.FIELD));
        report.setInt(TotalAffectedOrders.FIELD, canceled.size());
        sessions.send(account, report);
    }

    private void refuse(String account, Message request, int reason) throws FieldNotFound {
        var report = report(request, MassCancelResponse.CANCEL_REQUEST_REJECTED_SEE_MASSCANCELREJECTREASON);
        report.setInt(MassCancelRejectReason.FIELD, reason);
        sessions.send(account, report);
    }

    private static Message report(Message request, char response) throws FieldNotFound {
        var report = new OrderMassCancelReport();
        report.setString(ClOrdID.FIELD, request.getString(ClOrdID.FIELD));
        report.setString(OrderID.FIELD, UUID.randomUUID().toString());
        report.setChar(MassCancelRequestType.FIELD, request.getChar(MassCancelRequestType.FIELD));
        report.setChar(MassCancelResponse.FIELD, response);
        return report;
    }
}
