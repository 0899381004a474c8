package dev.berth.host.broker.remote;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.OwnOrders;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.remote.RemoteAnswer;
import dev.berth.workflows.remote.RemoteBodies;
import dev.berth.workflows.remote.RemoteMethod;
import dev.berth.workflows.remote.RemoteReport;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** One account, at a broker that the customer's machine calls. */
final class RemoteSession implements BrokerSession {
    private final RemoteCalls calls;
    private final Duration callLimit;

    RemoteSession(RemoteCalls calls, Duration callLimit) {
        this.calls = calls;
        this.callLimit = callLimit;
    }

    @Override
    public PreparedOrder prepare(OrderRequest order) {
        RemoteBodies.OrderToSend body = RemoteBodies.OrderToSend.of(order);
        String id = order.clientOrderId().value();
        return (limit, gate) -> {
            requireNoObjection(gate);
            return written(calls.write(RemoteMethod.SEND, id, body, limit, order.deadline()));
        };
    }

    private static void requireNoObjection(WriteGate gate) throws ObjectionException, InterruptedException {
        Optional<Declined> objection = gate.objection();
        if (objection.isPresent()) {
            throw new ObjectionException(objection.get());
        }
    }

    /** The broker's answer to a write. */
    private ExecutionReport written(RemoteAnswer answer) throws IOException {
        return switch (answer.outcome()) {
            case REPORT -> report(answer);
            case NOT_SENT -> throw notSent(answer);
            case REFUSED -> {
                String why = String.valueOf(answer.detail());
                throw new NotSentException(why, new RefusedException(why));
            }
            case UNKNOWN, ABSENT, WORKING, DONE -> throw unknown(answer);
        };
    }

    private NotSentException notSent(RemoteAnswer answer) {
        String detail = String.valueOf(answer.detail());
        return RemoteAnswer.DISCONNECTED.equals(answer.cause())
                ? new NotSentException(
                        detail,
                        FailureCode.REMOTE_UNAVAILABLE.because("The machine that serves account " + calls.account()
                                + " was not connected; the order was never sent to the venue."))
                : new NotSentException(detail, new IOException(String.valueOf(answer.cause())));
    }

    private static IOException unknown(RemoteAnswer answer) {
        return new IOException("the customer's machine: " + answer.detail());
    }

    private ExecutionReport report(RemoteAnswer answer) {
        RemoteReport report = Objects.requireNonNull(answer.report());
        return report.toExecutionReport(calls.epoch(), Instant.now());
    }

    @Override
    public Optional<ExecutionReport> find(VenueClientOrderId id) throws IOException {
        return look(RemoteMethod.FIND, id);
    }

    @Override
    public Optional<ExecutionReport> findExecutions(VenueClientOrderId id) throws IOException {
        return look(RemoteMethod.FIND_EXECUTIONS, id);
    }

    private Optional<ExecutionReport> look(RemoteMethod method, VenueClientOrderId id) throws IOException {
        return found(calls.call(method, id.order().value(), new RemoteBodies.VersionId(id.toString()), callLimit));
    }

    /** Whatever is no answer of the broker proves nothing, a call that was not sent included. */
    private Optional<ExecutionReport> found(RemoteAnswer answer) throws IOException {
        return switch (answer.outcome()) {
            case REPORT -> Optional.of(report(answer));
            case ABSENT -> Optional.empty();
            case REFUSED -> throw new RefusedException(String.valueOf(answer.detail()));
            case NOT_SENT, UNKNOWN, WORKING, DONE -> throw unknown(answer);
        };
    }

    @Override
    public Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException {
        return found(calls.call(
                RemoteMethod.CANCEL, id.order().value(), new RemoteBodies.VersionId(id.toString()), callLimit));
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException {
        return new RemoteReplacement(this, order).make(gate);
    }

    /** Writes a replacement, with the limit of a submission at most. */
    ExecutionReport write(ReplaceOrder order, RemoteBodies.NextVersion next, WriteGate gate)
            throws IOException, InterruptedException {
        requireNoObjection(gate);
        Duration limit = callLimit.compareTo(OrderPolicies.BROKER_CALL) < 0 ? callLimit : OrderPolicies.BROKER_CALL;
        return written(calls.write(
                RemoteMethod.REPLACE, order.request().clientOrderId().value(), next, limit, null));
    }

    /** A machine that is off is an unhealthy session; the next order calls it again. */
    @Override
    public void ping() throws IOException {
        RemoteAnswer answer = calls.call(RemoteMethod.PING, null, new RemoteBodies.Nothing(), callLimit);
        switch (answer.outcome()) {
            case DONE -> {}
            case REFUSED -> throw new RefusedException(String.valueOf(answer.detail()));
            case NOT_SENT, UNKNOWN, REPORT, ABSENT, WORKING -> throw unknown(answer);
        }
    }

    /**
     * False as well while the machine is off: reports reach the orders' workflows without this
     * worker, and a worker that a machine keeps from ending would run for ever.
     */
    @Override
    public boolean hasWorkingOrders(OwnOrders own) throws IOException {
        RemoteAnswer answer = calls.call(RemoteMethod.HAS_WORKING_ORDERS, null, new RemoteBodies.Nothing(), callLimit);
        if (RemoteAnswer.DISCONNECTED.equals(answer.cause())) {
            return false;
        }
        return switch (answer.outcome()) {
            case WORKING -> Objects.requireNonNull(answer.working());
            case REFUSED -> throw new RefusedException(String.valueOf(answer.detail()));
            case NOT_SENT, UNKNOWN, REPORT, ABSENT, DONE -> throw unknown(answer);
        };
    }

    /** The connection is the customer's, and stays. */
    @Override
    public void close() {
        // Nothing is open here.
    }
}
