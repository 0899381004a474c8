package dev.berth.host.broker;

import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** An open session with one account at one broker. */
public interface BrokerSession extends AutoCloseable {

    /** A request that is built and only needs to be written. */
    interface PreparedOrder {
        /**
         * Writes it and waits for the answer. "Duplicate client order id" answers what the venue has.
         *
         * @param limit how long all of it may take
         * @param gate asked when the venue is reached, before anything of the order is written
         * @throws ObjectionException when the gate objected: nothing was written
         * @throws NotSentException when surely nothing reached the venue
         * @throws IOException when nobody knows whether it did
         */
        VenueReport send(Duration limit, WriteGate gate) throws IOException, InterruptedException;
    }

    /** Asked last, over a connection that is there already: to make one may take seconds. */
    interface WriteGate {
        /** What speaks against it; empty when it may be written now. */
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

    /** Nothing was written, or the broker said that it took nothing. */
    final class NotSentException extends IOException {
        private static final long serialVersionUID = 1L;

        public NotSentException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The broker does not know these credentials. */
    final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        public RefusedException(String message) {
            super(message);
        }
    }

    PreparedOrder prepare(OrderRequest order);

    /** Asks by client order id; empty when the venue does not have it now. */
    Optional<VenueReport> find(VenueClientOrderId id) throws IOException, InterruptedException;

    /**
     * As {@link #find}, with every execution of the order under this id, named as the stream of news names it.
     *
     * @throws IOException when the venue does not say so
     */
    Optional<VenueReport> findExecutions(VenueClientOrderId id) throws IOException, InterruptedException;

    /** Cancels, and answers what is there afterwards. Already final: that; unknown to the venue: empty. */
    Optional<VenueReport> cancel(VenueClientOrderId id) throws IOException, InterruptedException;

    /**
     * Replaces the current leg by the next one. The next is there already: that. The current is final, is filled as far
     * as is wanted, the gate objects, or the venue refuses: not replaced, with the current leg as it is.
     *
     * @throws IOException when nobody knows whether the venue has the next leg
     */
    ReplaceOutcome replace(ReplaceOrder order, WriteGate gate) throws IOException, InterruptedException;

    /**
     * Asks for next to nothing, to see whether the session is good for an order.
     *
     * @throws RefusedException when the broker does not know the credentials any more
     * @throws IOException when it does not answer as it should
     */
    void ping() throws IOException, InterruptedException;

    /** Whether an order of this account works at the venue, whoever placed it. */
    boolean hasWorkingOrders() throws IOException, InterruptedException;

    /** Stops listening for news. A call that is under way is finished. Closed already: nothing happens. */
    @Override
    void close();
}
