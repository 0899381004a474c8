package dev.berth.host.broker;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
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
import quickfix.UnsupportedMessageType;
import quickfix.field.ClOrdID;
import quickfix.field.ExecType;
import quickfix.field.MassStatusReqID;
import quickfix.field.MsgType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.Password;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.Symbol;

/** A FIX 4.4 acceptor with one session in front of a {@link FakeExchange}. */
final class FixBroker extends ApplicationAdapter implements AutoCloseable {
    static final String BROKER = "BROKER";
    static final String CLIENT = "alice";
    private static final String REFUSED = "the credentials are refused";
    static final String NOT_CANCELABLE = "order is not cancelable";
    private static final SessionID SESSION = new SessionID("FIX.4.4", BROKER, CLIENT);

    final BrokerFaults faults = new BrokerFaults();
    private final FakeExchange exchange;
    private final boolean lists;
    private final SocketAcceptor acceptor;
    private final AtomicInteger logons = new AtomicInteger();
    private final int port;
    private @Nullable String cancelId;
    private FakeExchange.@Nullable Event lastTrade;

    FixBroker(FakeExchange exchange, boolean lists) throws IOException, ConfigError {
        this(exchange, lists, Map.of());
    }

    /** @param more settings of the acceptor */
    FixBroker(FakeExchange exchange, boolean lists, Map<String, String> more) throws IOException, ConfigError {
        this.exchange = exchange;
        this.lists = lists;
        try (ServerSocket free = new ServerSocket(0)) {
            this.port = free.getLocalPort();
        }
        SessionSettings settings = new SessionSettings();
        settings.setString("ConnectionType", "acceptor");
        settings.setString("StartTime", "00:00:00");
        settings.setString("EndTime", "00:00:00");
        settings.setString("NonStopSession", "Y");
        settings.setString("UseDataDictionary", "N");
        more.forEach(settings::setString);
        settings.setString(SESSION, "BeginString", "FIX.4.4");
        settings.setString(SESSION, "SenderCompID", BROKER);
        settings.setString(SESSION, "TargetCompID", CLIENT);
        settings.setLong(SESSION, "SocketAcceptPort", port);
        this.acceptor = new SocketAcceptor(this, new MemoryStoreFactory(), settings, new DefaultMessageFactory());
        acceptor.start();
        exchange.subscribe(0, this::report);
    }

    int port() {
        return port;
    }

    /** That arrived, accepted or not. */
    int logons() {
        return logons.get();
    }

    private static Session session() {
        return Objects.requireNonNull(Session.lookupSession(SESSION));
    }

    /** What the client sends next, as this side has it. */
    static int expectedNumber() {
        return session().getExpectedTargetNum();
    }

    /** What this side sends next. */
    static int nextNumber() {
        return session().getExpectedSenderNum();
    }

    /** Kept for the next connection while there is none. */
    private static void send(Message message) {
        session().send(message);
    }

    /** Asks for all messages again, out of nowhere. */
    static void requestResend() {
        send(FixReportMessages.resendRequest());
    }

    /** Sends the report of the last trade once more, as if the first one may not have come. */
    void sendLastTradeAgain() {
        send(FixReportMessages.possiblySentBefore(FixReportMessages.event(Objects.requireNonNull(lastTrade), null)));
    }

    void bustLastTrade() {
        send(FixReportMessages.bust(Objects.requireNonNull(lastTrade)));
    }

    /** Ends the session; returns when the client has answered, and so knows it. */
    void endRevoked() {
        session().logout(REFUSED);
        Awaitility.await().until(() -> !session().isLoggedOn());
    }

    @Override
    public void fromAdmin(Message message, SessionID session) throws FieldNotFound, RejectLogon {
        boolean isLogon = message.getHeader().getString(MsgType.FIELD).equals(MsgType.LOGON);
        if (isLogon) {
            logons.incrementAndGet();
        }
        if (isLogon && (faults.revoked || !message.getString(Password.FIELD).equals("open-sesame"))) {
            throw new RejectLogon(REFUSED);
        }
    }

    @Override
    public void fromApp(Message message, SessionID session) throws FieldNotFound, UnsupportedMessageType {
        String type = message.getHeader().getString(MsgType.FIELD);
        if (type.equals(MsgType.ORDER_MASS_STATUS_REQUEST)) {
            list(message);
            return;
        }
        String clientId = message.getString(ClOrdID.FIELD);
        if (faults.garbles) {
            send(FixReportMessages.garbled(clientId, ExecType.ORDER_STATUS));
        } else if (faults.revoked || faults.busy) {
            send(FixReportMessages.unavailable(message, clientId));
        } else {
            serve(type, message, clientId);
        }
    }

    private void serve(String type, Message message, String clientId) throws FieldNotFound, UnsupportedMessageType {
        switch (type) {
            case MsgType.ORDER_SINGLE -> submit(message, clientId);
            case MsgType.ORDER_STATUS_REQUEST -> status(clientId);
            case MsgType.ORDER_CANCEL_REQUEST -> cancel(message, clientId);
            case MsgType.ORDER_CANCEL_REPLACE_REQUEST -> replace(message, clientId);
            case MsgType.ORDER_MASS_CANCEL_REQUEST -> cancelAll(clientId);
            default -> throw new UnsupportedMessageType();
        }
    }

    private void submit(Message message, String clientId) throws FieldNotFound {
        if (exchange.find(clientId).isPresent()) {
            send(FixReportMessages.rejected(clientId, OrdRejReason.DUPLICATE_ORDER, "duplicate"));
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
            send(FixReportMessages.garbled(clientId, ExecType.NEW));
        } else if (order == null) {
            send(FixReportMessages.rejected(clientId, OrdRejReason.ORDER_EXCEEDS_LIMIT, "insufficient funds"));
        } else if (order.isWorking()) {
            send(FixReportMessages.of(order, ExecType.NEW));
        }
    }

    private void cancel(Message message, String requestId) throws FieldNotFound {
        String orderId = message.getString(OrigClOrdID.FIELD);
        if (faults.refusesCancels || exchange.find(orderId).isEmpty()) {
            send(FixReportMessages.cancelRejected(requestId, orderId, NOT_CANCELABLE));
            return;
        }
        cancelId = requestId;
        exchange.cancel(orderId);
        cancelId = null;
    }

    private void cancelAll(String requestId) throws UnsupportedMessageType {
        if (!lists) {
            throw new UnsupportedMessageType();
        }
        exchange.working().forEach(order -> exchange.cancel(order.clientId()));
        send(FixReportMessages.massCancel(requestId));
    }

    private static void disconnect() {
        try {
            session().disconnect("on purpose", false);
        } catch (IOException ended) {
            // It is disconnected.
        }
    }

    private void replace(Message message, String nextId) throws FieldNotFound {
        String currentId = message.getString(OrigClOrdID.FIELD);
        BigDecimal quantity = message.getDecimal(OrderQty.FIELD);
        FakeExchange.Order next = exchange.replace(currentId, nextId, quantity, message.getDecimal(Price.FIELD));
        send(
                next == null
                        ? FixReportMessages.cancelRejected(nextId, currentId, "too late")
                        : FixReportMessages.replacement(next, currentId));
    }

    private void status(String clientId) {
        Optional<FakeExchange.Order> order = exchange.find(clientId);
        send(order.map(known -> FixReportMessages.of(known, ExecType.ORDER_STATUS))
                .orElseGet(() -> FixReportMessages.rejected(clientId, OrdRejReason.UNKNOWN_ORDER, "unknown order")));
    }

    private void list(Message request) throws FieldNotFound, UnsupportedMessageType {
        if (!lists) {
            throw new UnsupportedMessageType();
        }
        List<FakeExchange.Order> working = exchange.working();
        FixReportMessages.list(request.getString(MassStatusReqID.FIELD), working)
                .forEach(FixBroker::send);
    }

    /** A replaced version is reported with the one that takes its place. */
    private void report(FakeExchange.Event event) {
        String status = event.order().status();
        if (event.fill() != null) {
            lastTrade = event;
        }
        if (event.fill() != null || status.equals("canceled")) {
            send(FixReportMessages.event(event, cancelId));
        }
    }

    @Override
    public void close() {
        acceptor.stop(true);
    }
}
