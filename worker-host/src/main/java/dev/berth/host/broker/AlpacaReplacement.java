package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.Optional;

/**
 * One replacement at Alpaca: a new order with a new client order id replaces the current version.
 * It
 * starts without fills, so its quantity is the leaves quantity of the whole order
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
        this.currentId = new VenueClientOrderId(order.request().clientOrderId(), order.current());
        this.nextId = new VenueClientOrderId(order.request().clientOrderId(), order.next());
    }

    /** As {@link BrokerSession#replace}. */
    ReplaceOutcome make(WriteGate gate) throws IOException, InterruptedException {
        ExecutionReport current = current();
        BigDecimal leaves = leavesQuantity(current);
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

    /** The quantity of the next version; negative when more is filled than is wanted. */
    private BigDecimal leavesQuantity(ExecutionReport current) {
        return order.wanted()
                .quantity()
                .value()
                .subtract(order.filledBefore().value())
                .subtract(current.filledQuantity().value());
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

    private ReplaceOutcome outcome(HttpResponse<String> answer) throws IOException, InterruptedException {
        // Read the replaced version again: it may have been filled before it was replaced.
        return answer.statusCode() / 100 == 2
                ? new ReplaceOutcome.Replaced(current(), session.answered(nextId, session.report(answer)))
                : refused(answer);
    }

    /** Alpaca may answer with an error although it replaced the order: look both versions up. */
    private ReplaceOutcome refused(HttpResponse<String> answer) throws IOException, InterruptedException {
        Optional<ExecutionReport> next = session.find(nextId);
        ExecutionReport current = current();
        if (next.isPresent()) {
            return new ReplaceOutcome.Replaced(current, next.get());
        }
        requireInPlace(current);
        if (answer.statusCode() / 100 != 4) {
            throw new IOException("the broker answered the replacement with " + answer.statusCode());
        }
        JsonNode error = AlpacaHttp.json(answer);
        if (AlpacaOrders.isDuplicate(error)) {
            throw new IOException("a duplicate that cannot be found");
        }
        return notReplaced(
                current, "The broker refused: " + error.path("message").asText("it gave no reason") + ".");
    }

    private static ReplaceOutcome notReplaced(ExecutionReport current, String text) {
        return new ReplaceOutcome.NotReplaced(current, FailureCode.NOT_REPLACED.because(text));
    }
}
