package dev.berth.host.broker;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.ServerSocket;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import quickfix.ApplicationAdapter;
import quickfix.ConfigError;
import quickfix.DefaultMessageFactory;
import quickfix.FieldNotFound;
import quickfix.MemoryStoreFactory;
import quickfix.Message;
import quickfix.RejectLogon;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketAcceptor;
import quickfix.field.AvgPx;
import quickfix.field.ClOrdID;
import quickfix.field.CumQty;
import quickfix.field.ExecID;
import quickfix.field.ExecRefID;
import quickfix.field.ExecType;
import quickfix.field.LastPx;
import quickfix.field.LastQty;
import quickfix.field.LeavesQty;
import quickfix.field.MsgType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrdStatus;
import quickfix.field.OrderID;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.Password;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.field.Text;
import quickfix.field.TransactTime;

/** A FIX 4.4 acceptor with one session in front of a {@link FakeExchange}. */
final class FixBroker extends ApplicationAdapter implements AutoCloseable {
    static final String BROKER = "BROKER";
    static final String CLIENT = "ALICE";
    static final String REFUSED = "the credentials are refused";
    static final String NOT_CANCELABLE = "order is not cancelable";
    private static final SessionID SESSION = new SessionID("FIX.4.4", BROKER, CLIENT);

    final BrokerFaults faults = new BrokerFaults();
    private final FakeExchange exchange;
    private final SocketAcceptor acceptor;
    private final int port;

    FixBroker(FakeExchange exchange) throws IOException, ConfigError {
        this.exchange = exchange;
        try (ServerSocket free = new ServerSocket(0)) {
            this.port = free.getLocalPort();
        }
        SessionSettings settings = new SessionSettings();
        settings.setString("ConnectionType", "acceptor");
        settings.setString("StartTime", "00:00:00");
        settings.setString("EndTime", "00:00:00");
        settings.setString("NonStopSession", "Y");
        settings.setString("UseDataDictionary", "N");
        settings.setString(SESSION, "BeginString", "FIX.4.4");
        settings.setString(SESSION, "SenderCompID", BROKER);
        settings.setString(SESSION, "TargetCompID", CLIENT);
        settings.setLong(SESSION, "SocketAcceptPort", port);
        this.acceptor = new SocketAcceptor(this, new MemoryStoreFactory(), settings, new DefaultMessageFactory());
        acceptor.start();
        exchange.subscribe(0, event -> {
            if (event.fill() != null || !event.order().status().equals("new")) {
                report(event.order(), event.fill(), event.corrected());
            }
        });
    }

    int port() {
        return port;
    }

    @Override
    public void fromAdmin(Message message, SessionID session) throws FieldNotFound, RejectLogon {
        if (message.getHeader().getString(MsgType.FIELD).equals(MsgType.LOGON)
                && (faults.revoked || !message.getString(Password.FIELD).equals("open-sesame"))) {
            throw new RejectLogon(REFUSED);
        }
    }

    @Override
    public void fromApp(Message message, SessionID session) throws FieldNotFound {
        String clientId = message.getString(ClOrdID.FIELD);
        if (faults.garbles) {
            garble(clientId);
            return;
        }
        if (faults.revoked) {
            reject(clientId, OrdRejReason.OTHER, REFUSED);
            return;
        }
        if (faults.busy) {
            reject(clientId, OrdRejReason.ORDER_EXCEEDS_LIMIT, "busy");
            return;
        }
        switch (message.getHeader().getString(MsgType.FIELD)) {
            case MsgType.ORDER_SINGLE -> submit(message, clientId);
            case MsgType.ORDER_STATUS_REQUEST -> status(clientId);
            case MsgType.ORDER_CANCEL_REQUEST -> cancel(message, clientId);
            case MsgType.ORDER_CANCEL_REPLACE_REQUEST -> replace(message, clientId);
            default -> throw new IllegalStateException("not traded: " + message);
        }
    }

    private void submit(Message message, String clientId) throws FieldNotFound {
        if (exchange.find(clientId).isPresent()) {
            reject(clientId, OrdRejReason.DUPLICATE_ORDER, "duplicate");
            return;
        }
        FakeExchange.Order order = exchange.submit(
                clientId,
                message.getString(Side.FIELD),
                message.getString(Symbol.FIELD),
                message.getDecimal(OrderQty.FIELD),
                message.isSetField(Price.FIELD) ? message.getDecimal(Price.FIELD) : null);
        if (faults.losesAnswer) {
            faults.losesAnswer = false;
            disconnect();
        } else if (faults.garblesNext) {
            faults.garblesNext = false;
            garble(clientId);
        } else if (order == null) {
            reject(clientId, OrdRejReason.ORDER_EXCEEDS_LIMIT, "insufficient funds");
        } else {
            status(clientId);
        }
    }

    /** A report without a status. */
    private static void garble(String clientId) {
        send(reportOf(clientId, "NONE", ExecType.ORDER_STATUS));
    }

    private void cancel(Message message, String clientId) throws FieldNotFound {
        String orderId = message.getString(OrigClOrdID.FIELD);
        if (faults.refusesCancels) {
            Message refusal = new Message();
            refusal.getHeader().setString(MsgType.FIELD, MsgType.ORDER_CANCEL_REJECT);
            refusal.setString(ClOrdID.FIELD, clientId);
            refusal.setString(OrigClOrdID.FIELD, orderId);
            refusal.setString(Text.FIELD, NOT_CANCELABLE);
            send(refusal);
            return;
        }
        exchange.cancel(orderId);
        status(orderId);
    }

    private void disconnect() {
        try {
            Objects.requireNonNull(Session.lookupSession(SESSION)).disconnect("on purpose", false);
        } catch (IOException ended) {
            // It is disconnected.
        }
    }

    private void replace(Message message, String clientId) throws FieldNotFound {
        FakeExchange.Order next = exchange.replace(
                message.getString(OrigClOrdID.FIELD),
                clientId,
                message.getDecimal(OrderQty.FIELD),
                message.getDecimal(Price.FIELD));
        if (next == null) {
            reject(clientId, OrdRejReason.TOO_LATE_TO_ENTER, "too late");
        } else {
            status(clientId);
        }
    }

    private void status(String clientId) {
        Optional<FakeExchange.Order> order = exchange.find(clientId);
        if (order.isPresent()) {
            report(order.get(), null, null);
        } else {
            reject(clientId, OrdRejReason.UNKNOWN_ORDER, "unknown order");
        }
    }

    private void reject(String clientId, int reason, String text) {
        Message report = reportOf(clientId, "NONE", ExecType.REJECTED);
        report.setChar(OrdStatus.FIELD, OrdStatus.REJECTED);
        report.setInt(OrdRejReason.FIELD, reason);
        report.setString(Text.FIELD, text);
        send(report);
    }

    private void report(
            FakeExchange.Order order, FakeExchange.@Nullable Fill fill, FakeExchange.@Nullable Fill corrected) {
        char execType = corrected != null ? ExecType.TRADE_CORRECT : ExecType.TRADE;
        Message report = reportOf(order.clientId(), order.id(), fill == null ? ExecType.ORDER_STATUS : execType);
        if (corrected != null) {
            report.setString(ExecRefID.FIELD, corrected.id());
        }
        report.setChar(OrdStatus.FIELD, status(order));
        report.setString(Symbol.FIELD, order.symbol());
        report.setString(Side.FIELD, order.side());
        report.setDecimal(OrderQty.FIELD, order.quantity());
        report.setDecimal(CumQty.FIELD, order.filled());
        report.setDecimal(LeavesQty.FIELD, order.quantity().subtract(order.filled()));
        report.setDecimal(AvgPx.FIELD, fill == null ? BigDecimal.ZERO : fill.price());
        report.setString(TransactTime.FIELD, order.updatedAt().toString());
        if (order.limit() != null) {
            report.setDecimal(Price.FIELD, order.limit());
        }
        if (fill != null) {
            report.setString(ExecID.FIELD, fill.id());
            report.setDecimal(LastQty.FIELD, fill.quantity());
            report.setDecimal(LastPx.FIELD, fill.price());
        }
        send(report);
    }

    private static Message reportOf(String clientId, String orderId, char execType) {
        Message report = new Message();
        report.getHeader().setString(MsgType.FIELD, MsgType.EXECUTION_REPORT);
        report.setString(ClOrdID.FIELD, clientId);
        report.setString(OrderID.FIELD, orderId);
        report.setString(ExecID.FIELD, "0");
        report.setChar(ExecType.FIELD, execType);
        return report;
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

    /** Kept for the next connection while there is none. */
    private static void send(Message report) {
        Objects.requireNonNull(Session.lookupSession(SESSION)).send(report);
    }

    @Override
    public void close() {
        acceptor.stop(true);
    }
}
