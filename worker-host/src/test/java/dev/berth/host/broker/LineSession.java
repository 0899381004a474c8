package dev.berth.host.broker;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** An adapter of the line protocol, which knows no HTTP, no JSON and no stream of its own. */
final class LineSession implements BrokerSession {
    private static final WriteGate OPEN = Optional::empty;
    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

    private final LineConnection connection;
    private final long epoch;

    LineSession(LineConnection connection, long epoch) {
        this.connection = connection;
        this.epoch = epoch;
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        String arguments = String.join(
                "|",
                order.clientOrderId().value(),
                order.side().name(),
                order.symbol(),
                order.quantity().toString(),
                order.limitPrice() == null ? "" : order.limitPrice().toString());
        return (limit, gate) -> submitted(order, connection.call("NEW", arguments, limit, gate));
    }

    private ExecutionReport submitted(OrderRequest order, String[] answer) throws IOException {
        return switch (answer[0]) {
            case "OK" -> LineReports.order(answer, epoch);
            case "DUP" ->
                LineReports.isSame(order, answer)
                        ? LineReports.order(answer, epoch)
                        : LineReports.rejected(FailureCode.DUPLICATE_ID.because("Another order has this id."), epoch);
            case "REJ" -> LineReports.rejected(LineReports.refused(answer[2]), epoch);
            case "BUSY", "DENIED" ->
                throw new NotSentException("the broker took nothing: " + answer[0], new IOException(answer[0]));
            default -> throw saysNothing(answer);
        };
    }

    @Override
    public Optional<ExecutionReport> find(VenueClientOrderId id) throws IOException, InterruptedException {
        return findExecutions(id).map(report -> report.withExecutions(List.of()));
    }

    @Override
    public Optional<ExecutionReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException {
        return found(ask("ASK", id.toString()));
    }

    private String[] ask(String kind, String arguments) throws IOException, InterruptedException {
        String[] answer = connection.call(kind, arguments, CALL_LIMIT, OPEN);
        if (answer[0].equals("DENIED")) {
            throw new RefusedException("the broker refused the credentials");
        }
        if (answer[0].equals("BUSY")) {
            throw new IOException("the broker is busy");
        }
        return answer;
    }

    private static IOException saysNothing(String[] answer) {
        return new IOException("the broker answered " + answer[0]);
    }

    private Optional<ExecutionReport> found(String[] answer) throws IOException {
        return switch (answer[0]) {
            case "OK" -> Optional.of(LineReports.withFills(answer, epoch));
            case "NONE" -> Optional.empty();
            default -> throw saysNothing(answer);
        };
    }

    @Override
    public Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException {
        String[] answer = ask("CXL", id.toString());
        return answer[0].equals("REJ")
                ? find(id).map(order -> LineReports.cancelRefused(order, answer[2]))
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
        String arguments = String.join(
                "|",
                currentId.toString(),
                nextId.toString(),
                new Decimal(leaves).toString(),
                Objects.requireNonNull(order.wanted().limitPrice()).toString());
        try {
            String[] answer = connection.call("RPL", arguments, CALL_LIMIT, gate);
            ExecutionReport after = find(currentId).orElse(before);
            return switch (answer[0]) {
                case "OK" -> new ReplaceOutcome.Replaced(after, LineReports.order(answer, epoch));
                case "LATE" ->
                    new ReplaceOutcome.NotReplaced(after, FailureCode.NOT_REPLACED.because("It came too late."));
                default -> throw saysNothing(answer);
            };
        } catch (ObjectionException objected) {
            return new ReplaceOutcome.NotReplaced(
                    before, Objects.requireNonNull(objected.objection().reason()));
        }
    }

    @Override
    public void ping() throws IOException, InterruptedException {
        connection.ping(CALL_LIMIT);
    }

    @Override
    public boolean hasWorkingOrders(OwnOrders own) throws IOException, InterruptedException {
        return ask("ANY", "")[0].equals("OK");
    }

    @Override
    public void close() {
        connection.close();
    }
}
