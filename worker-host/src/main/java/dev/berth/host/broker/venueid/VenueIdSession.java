package dev.berth.host.broker.venueid;

import dev.berth.host.broker.BrokerAccountSession;
import dev.berth.host.broker.BrokerSession.PreparedOrder;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An open session with a broker that gives each order an id of its own and does not know Berth's.
 * {@link IdentifyingSession} tells which order is which. Such a broker does not replace orders.
 */
public interface VenueIdSession extends BrokerAccountSession {
    /** What the session tells by itself, on a thread of its own. No method blocks. */
    interface Listener {
        /** An order of the account changed; the report has the executions that are new, or all. */
        void changed(ListedOrder order);

        /** Changes are told from now on; earlier ones may have been missed. */
        void connected();

        /** Balances, positions or open orders may have changed. */
        void accountChanged();
    }

    /** {@link OrderIdentity#TAG} when the broker gives back each order's tag, else NONE. */
    OrderIdentity identity();

    /**
     * An order that only needs to be written. Its answer has the broker's id, unless the broker
     * refused it.
     *
     * @param tag for a broker that gives it back
     */
    PreparedOrder prepare(OrderRequest order, String tag);

    /** The order with all its executions; empty when the broker has none with this id. */
    Optional<ListedOrder> find(String venueOrderId) throws IOException, InterruptedException;

    /**
     * All orders of the account that are open or were accepted since then, with all their
     * executions.
     *
     * @throws IOException when that is not the whole list
     */
    List<ListedOrder> orders(Instant since) throws IOException, InterruptedException;

    /** As {@link dev.berth.host.broker.BrokerSession#cancel}, by the broker's id. */
    Optional<ExecutionReport> cancel(String venueOrderId) throws IOException, InterruptedException;
}
