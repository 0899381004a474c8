package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.Optional;

/**
 * One replacement at Alpaca: an order of its own, with a client order id of its own, takes the place of the current
 * leg. It starts without fills, so its quantity is what the whole order may still trade
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
        VenueReport current = current();
        BigDecimal rest = rest(current);
        if (current.status().isFinal() || isReplaced(current) || rest.signum() <= 0) {
            return withoutWriting(current);
        }
        ObjectNode body = AlpacaOrders.toAlpaca(order.wanted(), nextId).put("qty", new Decimal(rest).toString());
        try {
            return answered(session.patch(current, body, gate));
        } catch (ObjectionException objected) {
            return new ReplaceOutcome.NotReplaced(
                    current, Objects.requireNonNull(objected.objection().reason()));
        } catch (NotSentException noConnection) {
            return notReplaced(current, "The broker could not be reached; the order is as it was.");
        }
    }

    private VenueReport current() throws IOException, InterruptedException {
        return session.find(currentId)
                .orElseThrow(
                        () -> new IOException("the broker does not know " + currentId + ", which is to be replaced"));
    }

    /** What the order may still trade under its next leg; a decimal is never negative, this may be. */
    private BigDecimal rest(VenueReport current) {
        return order.wanted()
                .quantity()
                .value()
                .subtract(order.filledBefore().value())
                .subtract(current.filledQuantity().value());
    }

    private static boolean isReplaced(VenueReport leg) {
        return OrderPolicies.REPLACED.equals(leg.venueStatus());
    }

    /** An earlier call, whose answer was lost, may have done it; else it is too late. */
    private ReplaceOutcome withoutWriting(VenueReport current) throws IOException, InterruptedException {
        Optional<VenueReport> next = session.find(nextId);
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

    /** Replaced by an order that can not be found: by somebody else, or the broker does not show the new one yet. */
    private void requireInPlace(VenueReport current) throws IOException {
        if (isReplaced(current)) {
            throw new IOException(currentId + " was replaced, and " + nextId + " can not be found");
        }
    }

    private ReplaceOutcome answered(HttpResponse<String> answer) throws IOException, InterruptedException {
        // A fill may have come first: only now is the leg before final.
        return answer.statusCode() / 100 == 2
                ? new ReplaceOutcome.Replaced(current(), session.report(answer))
                : refused(answer);
    }

    /** Alpaca may answer an error although it replaced, so a "no" counts when its book says so too. */
    private ReplaceOutcome refused(HttpResponse<String> answer) throws IOException, InterruptedException {
        Optional<VenueReport> next = session.find(nextId);
        VenueReport current = current();
        if (next.isPresent()) {
            return new ReplaceOutcome.Replaced(current, next.get());
        }
        requireInPlace(current);
        if (answer.statusCode() / 100 != 4) {
            throw new IOException("the broker answered the replacement with " + answer.statusCode());
        }
        JsonNode error = session.read(answer);
        if (AlpacaOrders.isDuplicate(error)) {
            throw new IOException("a duplicate that can not be found");
        }
        return notReplaced(
                current, "The broker refused: " + error.path("message").asText("it gave no reason") + ".");
    }

    private static ReplaceOutcome notReplaced(VenueReport current, String text) {
        return new ReplaceOutcome.NotReplaced(current, FailureCode.NOT_REPLACED.because(text));
    }
}
