package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession.WriteGate;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores, behind the gateway, what is about to be written to a broker that would take it a second
 * time. What has no intent was surely not written; a broker with unique ids needs none.
 */
final class WriteIntents {
    private static final Logger LOG = LoggerFactory.getLogger(WriteIntents.class);

    private final WorkerGatewayClient gateway;

    WriteIntents(WorkerGatewayClient gateway) {
        this.gateway = gateway;
    }

    /**
     * The gate of one write, which stores the intent first: the gate's own checks stay the last
     * step before the write. Objects while another order of the account, symbol and side is in
     * doubt, or when nothing can be stored.
     */
    WriteGate guard(
            OrderIdentity identity, OrderRequest order, VenueClientOrderId id, OrderTerms terms, WriteGate gate) {
        return identity == OrderIdentity.UNIQUE
                ? gate
                : () -> {
                    Optional<Declined> held = hold(order, id, terms);
                    if (held.isPresent()) {
                        return held;
                    }
                    Optional<Declined> objection = gate.objection();
                    if (objection.isPresent()) {
                        notWritten(identity, id);
                    }
                    return objection;
                };
    }

    private Optional<Declined> hold(OrderRequest order, VenueClientOrderId id, OrderTerms terms) {
        try {
            String inDoubt = gateway.recordIntent(
                            new IntentRequest(order.account(), id.toString(), order.symbol(), order.side(), terms))
                    .inDoubt();
            return inDoubt == null
                    ? Optional.empty()
                    : Optional.of(new Declined(
                            Cause.HELD,
                            FailureCode.ORDER_IN_DOUBT.because("Order " + inDoubt
                                    + " of the same account, symbol and side may be at the broker, and must be resolved"
                                    + " first.")));
        } catch (StatusRuntimeException unavailable) {
            LOG.warn("the intent of {} is not stored: {}", id, unavailable.getMessage());
            return Optional.of(new Declined(
                    Cause.HELD,
                    FailureCode.NOT_SENT.because("It could not be stored that the order was about to be sent.")));
        }
    }

    /**
     * Stores the broker's id, in the background: the order's own row tells it, too. What the broker
     * refused before it gave it an id is not there.
     */
    void answered(OrderIdentity identity, VenueClientOrderId id, ExecutionReport report) {
        if (report.venueOrderId() == null && report.status() == OrderStatus.REJECTED) {
            notWritten(identity, id);
        } else if (identity != OrderIdentity.UNIQUE && report.venueOrderId() != null) {
            Thread.ofVirtual().name("intent").start(() -> close(id, report.venueOrderId()));
        }
    }

    /**
     * The broker surely does not have it. Without this the order counts as perhaps written. Waits,
     * so that it cannot take away the intent of the next attempt.
     */
    void notWritten(OrderIdentity identity, VenueClientOrderId id) {
        if (identity != OrderIdentity.UNIQUE) {
            close(id, null);
        }
    }

    private void close(VenueClientOrderId id, @Nullable String venueOrderId) {
        try {
            gateway.closeIntent(id.toString(), venueOrderId);
        } catch (StatusRuntimeException unavailable) {
            LOG.warn("the intent of {} stays open: {}", id, unavailable.getMessage());
        }
    }

    /**
     * What may have been written of an order that a look-up does not find.
     *
     * @throws IOException when that cannot be found out
     */
    Optional<OrderIntent> find(VenueClientOrderId id) throws IOException {
        try {
            return Optional.ofNullable(gateway.readIntent(id.toString()).intent());
        } catch (StatusRuntimeException unavailable) {
            throw new IOException("whether " + id + " was written is not known", unavailable);
        }
    }
}
