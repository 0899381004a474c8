package dev.berth.host.broker.remote;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.remote.RemoteBodies;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;

/**
 * One replacement: the next version takes the place of the current one, for what that has not
 * filled.
 */
final class RemoteReplacement {
    private final RemoteSession session;
    private final ReplaceOrder order;
    private final VenueClientOrderId currentId;
    private final VenueClientOrderId nextId;

    RemoteReplacement(RemoteSession session, ReplaceOrder order) {
        this.session = session;
        this.order = order;
        this.currentId = order.currentId();
        this.nextId = order.nextId();
    }

    /** As {@link BrokerSession#replace}. */
    ReplaceOutcome make(WriteGate gate) throws IOException, InterruptedException {
        ExecutionReport current = current();
        BigDecimal leaves = order.leavesQuantity(current);
        if (current.status().isFinal() || isReplaced(current) || leaves.signum() <= 0) {
            return withoutWriting(current);
        }
        try {
            ExecutionReport next = session.write(order, body(leaves), gate);
            return result(current(), next);
        } catch (ObjectionException objected) {
            return new ReplaceOutcome.NotReplaced(
                    current, Objects.requireNonNull(objected.objection().reason()));
        } catch (NotSentException notSent) {
            return notReplaced(current, "Nothing was sent: " + notSent.getMessage() + " The order is as it was.");
        }
    }

    private static boolean isReplaced(ExecutionReport version) {
        return OrderPolicies.REPLACED.equals(version.venueStatus());
    }

    /** An earlier call without an answer may have replaced the order; else it is too late. */
    private ReplaceOutcome withoutWriting(ExecutionReport current) throws IOException {
        Optional<ExecutionReport> next = session.find(nextId);
        if (next.isPresent()) {
            return result(current, next.get());
        }
        if (isReplaced(current)) {
            throw new IOException(currentId + " was replaced, and " + nextId + " cannot be found");
        }
        return notReplaced(current, "The order was over, or filled as far as that, before it could be replaced.");
    }

    private RemoteBodies.NextVersion body(BigDecimal leaves) {
        return new RemoteBodies.NextVersion(
                currentId.toString(),
                nextId.toString(),
                new Decimal(leaves),
                order.wanted().limitPrice(),
                order.wanted().stopPrice());
    }

    private ReplaceOutcome result(ExecutionReport current, ExecutionReport next) {
        return next.status() == OrderStatus.REJECTED && !next.filledQuantity().isPositive()
                ? notReplaced(
                        current,
                        "The broker refused: "
                                + (next.reason() == null ? "" : next.reason().text()))
                : new ReplaceOutcome.Replaced(current, next);
    }

    private ExecutionReport current() throws IOException {
        return session.find(currentId).orElseThrow(() -> new IOException("the broker does not have " + currentId));
    }

    private static ReplaceOutcome notReplaced(ExecutionReport current, String text) {
        return new ReplaceOutcome.NotReplaced(current, FailureCode.NOT_REPLACED.because(text));
    }
}
