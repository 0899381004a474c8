package dev.berth.host.broker;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.PreparedOrder;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.broker.venueid.ListedOrder;
import dev.berth.host.broker.venueid.VenueIdSession;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The line protocol of a broker that shows no client order ids. */
record LineVenueIdSession(LineConnection connection, long epoch, OrderIdentity identity) implements VenueIdSession {
    private static final BrokerSession.WriteGate OPEN = Optional::empty;
    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);
    /** Kind and number, which stand before an order's own fields. */
    private static final String HEAD = "OK|0|";

    static LineVenueIdSession open(
            int port,
            BrokerCredentials credentials,
            SessionJournal journal,
            long epoch,
            OrderIdentity identity,
            Listener changes)
            throws IOException {
        LineConnection connection = new LineConnection(
                port,
                credentials,
                journal,
                epoch,
                event -> readable(event, epoch, LineReports::changedOrder).ifPresent(changes::changed),
                changes::connected);
        connection.open();
        return new LineVenueIdSession(connection, epoch, identity);
    }

    private interface Reading {
        ListedOrder read(String[] fields, long epoch);
    }

    /** Empty for an order of another application that cannot be read. */
    private static Optional<ListedOrder> readable(String[] fields, long epoch, Reading reading) {
        try {
            return Optional.of(reading.read(fields, epoch));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    @Override
    public PreparedOrder prepare(OrderRequest order, String tag) {
        String arguments = String.join(
                "|",
                order.clientOrderId().value(),
                order.side().name(),
                order.symbol(),
                order.quantity().toString(),
                order.limitPrice() == null ? "" : order.limitPrice().toString(),
                tag);
        return (limit, gate) -> submitted(connection.call("NEW", arguments, limit, gate));
    }

    private ExecutionReport submitted(String[] answer) throws IOException {
        return switch (answer[0]) {
            case "OK" -> LineReports.venueOrder(answer, epoch).report();
            case "REJ" -> LineReports.rejected(LineReports.refused(answer[2]), epoch);
            case "BUSY", "DENIED" ->
                throw new NotSentException("the broker took nothing: " + answer[0], new IOException(answer[0]));
            default -> throw new IOException("the broker answered " + answer[0]);
        };
    }

    private String[] ask(String kind, String arguments) throws IOException, InterruptedException {
        String[] answer = connection.call(kind, arguments, CALL_LIMIT, OPEN);
        return switch (answer[0]) {
            case "OK", "NONE", "REJ" -> answer;
            case "DENIED" -> throw new RefusedException("the broker refused the credentials");
            default -> throw new IOException("the broker answered " + answer[0]);
        };
    }

    @Override
    public Optional<ListedOrder> find(String venueOrderId) throws IOException, InterruptedException {
        return found(ask("ASK", venueOrderId));
    }

    private Optional<ListedOrder> found(String[] answer) {
        return answer[0].equals("NONE") ? Optional.empty() : Optional.of(LineReports.venueOrder(answer, epoch));
    }

    @Override
    public List<ListedOrder> orders(Instant since) throws IOException, InterruptedException {
        List<ListedOrder> orders = new ArrayList<>();
        for (String order : ask("LIST", since.toString())[2].split("!", -1)) {
            if (!order.isEmpty()) {
                String[] fields = (HEAD + order.replace('^', '|')).split("\\|", -1);
                readable(fields, epoch, LineReports::venueOrder).ifPresent(orders::add);
            }
        }
        return orders;
    }

    @Override
    public Optional<ExecutionReport> cancel(String venueOrderId) throws IOException, InterruptedException {
        String[] answer = ask("CXL", venueOrderId);
        return answer[0].equals("REJ")
                ? find(venueOrderId).map(order -> LineReports.cancelRefused(order.report(), answer[2]))
                : found(answer).map(ListedOrder::report);
    }

    @Override
    public void ping() throws IOException, InterruptedException {
        connection.ping(CALL_LIMIT);
    }

    @Override
    public void close() {
        connection.close();
    }
}
