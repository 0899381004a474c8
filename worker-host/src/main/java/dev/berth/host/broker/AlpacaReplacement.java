package dev.berth.host.broker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.host.broker.AlpacaAnswer.Meaning;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;

/**
 * One replacement at Alpaca: a new order with a new client order id replaces the current version.
 * It starts without fills, so its quantity is the leaves quantity of the whole order
 * (github.com/alpacahq/Alpaca-API issue 165).
 */
final class AlpacaReplacement {
    private final AlpacaSession session;
    private final ReplaceOrder order;
    private final VenueClientOrderId currentId;
    private final VenueClientOrderId nextId;

    AlpacaReplacement(AlpacaSession session, ReplaceOrder order) {
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
        ObjectNode body = AlpacaOrders.toAlpaca(order.wanted(), nextId).put("qty", new Decimal(leaves).toString());
        try {
            return outcome(session.patch(current, body, gate));
        } catch (ObjectionException objected) {
            return new ReplaceOutcome.NotReplaced(
                    current, Objects.requireNonNull(objected.objection().reason()));
        } catch (NotSentException noConnection) {
            return notReplaced(current, "The broker could not be reached; the order is as it was.");
        }
    }

    private ExecutionReport current() throws IOException, InterruptedException {
        return session.find(currentId).orElseThrow(() -> new IOException("the broker does not have " + currentId));
    }

    private static boolean isReplaced(ExecutionReport version) {
        return OrderPolicies.REPLACED.equals(version.venueStatus());
    }

    /** An earlier call without an answer may have replaced the order; else it is too late. */
    private ReplaceOutcome withoutWriting(ExecutionReport current) throws IOException, InterruptedException {
        Optional<ExecutionReport> next = session.find(nextId);
        if (next.isPresent()) {
            return new ReplaceOutcome.Replaced(current, next.get());
        }
        requireInPlace(current);
        return notReplaced(
                current,
                current.status().isFinal()
                        ? "The order was over before it could be replaced."
                        : "The order was filled as far as that before it could be replaced.");
    }

    /** Replaced outside of Berth, or the broker does not show the new version yet: unknown. */
    private void requireInPlace(ExecutionReport current) throws IOException {
        if (isReplaced(current)) {
            throw new IOException(currentId + " was replaced, and " + nextId + " cannot be found");
        }
    }

    private ReplaceOutcome outcome(AlpacaAnswer answer) throws IOException, InterruptedException {
        // Read the replaced version again: it may have been filled before it was replaced.
        return answer.meaning() == Meaning.DONE
                ? new ReplaceOutcome.Replaced(
                        current(), session.answered(nextId, session.report(nextId, answer.requireSuccess())))
                : refused(answer);
    }

    /** Alpaca may answer with an error although it replaced the order: look both versions up. */
    private ReplaceOutcome refused(AlpacaAnswer answer) throws IOException, InterruptedException {
        Optional<ExecutionReport> next = session.find(nextId);
        ExecutionReport current = current();
        if (next.isPresent()) {
            return new ReplaceOutcome.Replaced(current, next.get());
        }
        requireInPlace(current);
        return switch (answer.meaning()) {
            case REFUSED -> notReplaced(current, AlpacaOrders.refusal(answer.message()));
            case RATE_LIMITED -> notReplaced(current, "The broker's rate limit is reached; the order is as it was.");
            case CREDENTIALS_REFUSED -> throw AlpacaAnswer.credentialsRefused();
            case DUPLICATE -> throw new IOException("a duplicate that cannot be found");
            case DONE, ABSENT, NOTHING -> throw answer.saysNothing();
        };
    }

    private static ReplaceOutcome notReplaced(ExecutionReport current, String text) {
        return new ReplaceOutcome.NotReplaced(current, FailureCode.NOT_REPLACED.because(text));
    }
}
