package dev.berth.host.broker;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.field.ClOrdID;
import quickfix.field.MsgType;
import quickfix.field.OrdRejReason;
import quickfix.field.OrdType;
import quickfix.field.OrderQty;
import quickfix.field.OrigClOrdID;
import quickfix.field.Price;
import quickfix.field.Side;
import quickfix.field.Symbol;
import quickfix.field.Text;

/** A sketch of an adapter of FIX 4.4, to show that the port fits a session-bound protocol. */
final class FixSession implements BrokerSession {
    private static final WriteGate OPEN = Optional::empty;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final FixConnection connection;
    private final FixJournal journal;
    private final long epoch;
    private final SessionListener listener;
    /** FIX has no question for all working orders: these are known from the reports. */
    private final Set<String> working;

    private int asked;

    FixSession(
            int port,
            BrokerCredentials credentials,
            FixJournal journal,
            long epoch,
            Set<String> working,
            SessionListener listener)
            throws IOException, InterruptedException {
        this.journal = journal;
        this.epoch = epoch;
        this.working = working;
        this.listener = listener;
        this.connection = new FixConnection(port, credentials, journal, epoch, this::received);
        connection.open(LIMIT);
    }

    private void received(Message fix) {
        try {
            String clientId = fix.getString(ClOrdID.FIELD);
            VenueClientOrderId id = VenueClientOrderId.parse(clientId);
            ExecutionReport report = FixReports.report(fix, epoch);
            if (report.status() == OrderStatus.REJECTED) {
                return;
            }
            report.executions().forEach(execution -> journal.executed(clientId, execution));
            if (report.status().isFinal() || report.status() == OrderStatus.PENDING_REPLACE) {
                working.remove(clientId);
            } else {
                working.add(clientId);
            }
            listener.reported(id.order(), report);
        } catch (IllegalArgumentException | FieldNotFound foreign) {
            // An order of another application.
        }
    }

    private Message message(String type, String clientId) {
        Message message = new Message();
        message.getHeader().setString(MsgType.FIELD, type);
        message.setString(ClOrdID.FIELD, clientId);
        return message;
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        Message message = message(MsgType.ORDER_SINGLE, order.clientOrderId().value());
        message.setString(Side.FIELD, order.side().name().substring(0, 1));
        message.setString(Symbol.FIELD, order.symbol());
        message.setDecimal(OrderQty.FIELD, order.quantity().value());
        message.setChar(OrdType.FIELD, order.limitPrice() == null ? OrdType.MARKET : OrdType.LIMIT);
        if (order.limitPrice() != null) {
            message.setDecimal(Price.FIELD, order.limitPrice().value());
        }
        return (limit, gate) -> {
            Message answer = connection.call(message, order.clientOrderId().value(), limit, gate);
            try {
                return submitted(order, answer);
            } catch (FieldNotFound malformed) {
                throw new IOException(malformed);
            }
        };
    }

    private ExecutionReport submitted(OrderRequest order, Message answer)
            throws FieldNotFound, IOException, InterruptedException {
        if (FixReports.isRejectedFor(answer, OrdRejReason.DUPLICATE_ORDER)) {
            Message found = status(new VenueClientOrderId(order.clientOrderId(), 0));
            return isSame(order, found)
                    ? FixReports.report(found, epoch)
                    : FixReports.rejected(FailureCode.DUPLICATE_ID.because("Another order has this id."), epoch);
        }
        if (has(answer, "busy") || has(answer, FixBroker.REFUSED)) {
            throw new NotSentException("the broker took nothing", new IOException());
        }
        return FixReports.report(answer, epoch);
    }

    private static boolean isSame(OrderRequest order, Message found) throws FieldNotFound {
        return order.symbol().equals(found.getString(Symbol.FIELD))
                && order.side().name().substring(0, 1).equals(found.getString(Side.FIELD))
                && order.quantity().value().compareTo(found.getDecimal(OrderQty.FIELD)) == 0
                && (order.limitPrice() == null) != found.isSetField(Price.FIELD);
    }

    private Message status(VenueClientOrderId id) throws IOException, InterruptedException {
        return connection.call(message(MsgType.ORDER_STATUS_REQUEST, id.toString()), id.toString(), LIMIT, OPEN);
    }

    @Override
    public Optional<ExecutionReport> find(VenueClientOrderId id) throws IOException, InterruptedException {
        return found(status(id));
    }

    private Optional<ExecutionReport> found(Message answer) throws IOException {
        try {
            return FixReports.isRejectedFor(answer, OrdRejReason.UNKNOWN_ORDER)
                    ? Optional.empty()
                    : Optional.of(FixReports.report(answer, epoch));
        } catch (FieldNotFound malformed) {
            throw new IOException(malformed);
        }
    }

    @Override
    public Optional<ExecutionReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException {
        return find(id).map(report -> report.withExecutions(journal.executions(id.toString())));
    }

    @Override
    public Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        Message cancel = message(MsgType.ORDER_CANCEL_REQUEST, "cancel-" + ++asked);
        cancel.setString(OrigClOrdID.FIELD, id.toString());
        Message answer = connection.call(cancel, id.toString(), LIMIT, OPEN);
        return has(answer, FixBroker.NOT_CANCELABLE)
                ? find(id).map(order -> LineReports.cancelRefused(order, FixBroker.NOT_CANCELABLE))
                : found(answer);
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException {
        VenueClientOrderId currentId = order.currentId();
        VenueClientOrderId nextId = order.nextId();
        Optional<ExecutionReport> made = find(nextId);
        ExecutionReport before = find(currentId).orElseThrow(() -> new IOException("the broker does not have it"));
        if (made.isPresent()) {
            return new ReplaceOutcome.Replaced(before, made.get());
        }
        BigDecimal leaves = order.leavesQuantity(before);
        Message replace = message(MsgType.ORDER_CANCEL_REPLACE_REQUEST, nextId.toString());
        replace.setString(OrigClOrdID.FIELD, currentId.toString());
        replace.setDecimal(OrderQty.FIELD, new Decimal(leaves).value());
        replace.setDecimal(
                Price.FIELD, Objects.requireNonNull(order.wanted().limitPrice()).value());
        try {
            Optional<ExecutionReport> next = found(connection.call(replace, nextId.toString(), LIMIT, gate));
            ExecutionReport after = find(currentId).orElse(before);
            return next.isPresent() && next.get().status() != OrderStatus.REJECTED
                    ? new ReplaceOutcome.Replaced(after, next.get())
                    : new ReplaceOutcome.NotReplaced(after, FailureCode.NOT_REPLACED.because("It came too late."));
        } catch (ObjectionException objected) {
            return new ReplaceOutcome.NotReplaced(
                    before, Objects.requireNonNull(objected.objection().reason()));
        }
    }

    @Override
    public void ping() throws IOException, InterruptedException {
        connection.requireAccepted();
        Message answer = status(VenueClientOrderId.parse("any-order"));
        if (has(answer, FixBroker.REFUSED)) {
            throw new RefusedException(FixBroker.REFUSED);
        }
    }

    private static boolean has(Message answer, String text) {
        try {
            return answer.isSetField(Text.FIELD) && answer.getString(Text.FIELD).equals(text);
        } catch (FieldNotFound absent) {
            return false;
        }
    }

    @Override
    public boolean hasWorkingOrders(OwnOrders own) {
        return !working.isEmpty();
    }

    @Override
    public void close() {
        connection.close();
    }
}
