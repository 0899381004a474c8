package dev.berth.host.broker;

import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An open session with one account at one broker, which sends and follows orders. */
public interface BrokerSession extends BrokerAccountSession {

    /** A request that only needs to be written. */
    interface PreparedOrder {
        /**
         * Writes the order and waits for the answer. For a duplicate client order id, returns the
         * report of the order at the venue.
         *
         * @param limit for the whole call
         * @param gate called when the connection is open, before the order is written
         * @throws ObjectionException when the gate objected: nothing was written
         * @throws NotSentException when nothing reached the venue
         * @throws IOException when the outcome is unknown
         */
        ExecutionReport send(Duration limit, WriteGate gate) throws IOException, InterruptedException;
    }

    /** The last check; called with the connection open, since opening one may take seconds. */
    interface WriteGate {
        /** The objection to writing now; empty when there is none. */
        Optional<Declined> objection() throws InterruptedException;
    }

    /** The gate objected, so nothing was written. */
    final class ObjectionException extends IOException {
        private static final long serialVersionUID = 1L;
        private final transient Declined objection;

        public ObjectionException(Declined objection) {
            super("objected: " + objection.cause());
            this.objection = objection;
        }

        public Declined objection() {
            return objection;
        }
    }

    /** Nothing was written, or the broker answered that it did not accept anything. */
    final class NotSentException extends IOException {
        private static final long serialVersionUID = 1L;
        private final transient @Nullable Reason reason;

        public NotSentException(String message, Throwable cause) {
            super(message, cause);
            this.reason = null;
        }

        /** @param reason why the order fails if no later attempt is sent either */
        public NotSentException(String message, Reason reason) {
            super(message);
            this.reason = reason;
        }

        public @Nullable Reason reason() {
            return reason;
        }
    }

    /** The broker rejects the credentials, or the endpoint must not receive any: retry later. */
    final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        public RefusedException(String message) {
            super(message);
        }
    }

    /** The account may not send now; it says nothing about the broker's health. */
    final class OverBudgetException extends IOException {
        private static final long serialVersionUID = 1L;

        public OverBudgetException(String message) {
            super(message);
        }
    }

    /** The broker, or this adapter of it, cannot do what was asked for. */
    final class UnsupportedException extends IOException {
        private static final long serialVersionUID = 1L;

        public UnsupportedException(String message) {
            super(message);
        }
    }

    PreparedOrder prepare(OrderRequest order);

    /** Looks an order up by client order id; empty when the venue does not have it now. */
    Optional<ExecutionReport> find(VenueClientOrderId id) throws IOException, InterruptedException;

    /** How an order whose outcome is unknown is known again at this broker. */
    default OrderIdentity identity() {
        return OrderIdentity.UNIQUE;
    }

    /**
     * As {@link #find}, by the venue's own id of the order.
     *
     * @throws UnsupportedException when the broker does not find by it
     */
    default Optional<ExecutionReport> findByVenueOrderId(VenueClientOrderId id, String venueOrderId)
            throws IOException, InterruptedException {
        throw new UnsupportedException("This broker's adapter finds no order by the venue's id.");
    }

    /**
     * The order as it is now, without a request; empty when the session may have missed a report,
     * or
     * was not told of the order: then {@link #find} asks.
     */
    default Optional<ExecutionReport> current(VenueClientOrderId id) {
        return Optional.empty();
    }

    /**
     * As {@link #find}, with every execution of this order version, with the stream's execution
     * ids.
     *
     * @throws IOException when the venue does not answer
     */
    Optional<ExecutionReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException;

    /**
     * Cancels, and returns the order after that: unchanged when final; as it was, with the reason
     * {@link dev.berth.workflows.order.FailureCode#NOT_CANCELED}, when the broker refuses; empty
     * when the broker does not know it.
     */
    Optional<ExecutionReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException;

    /**
     * Replaces the current order version by the next one. Idempotent: returns a next version that
     * exists already. Not replaced, with the current version, when that is final or filled as far
     * as
     * wanted, when the gate objects, or when the venue refuses.
     *
     * @throws IOException when the outcome is unknown
     */
    ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException;

    /**
     * Whether any order of Berth works at the venue in this account.
     *
     * @param own tells them from others; a broker that shows no others need not ask
     */
    boolean hasWorkingOrders(OwnOrders own) throws IOException, InterruptedException;
}
