package dev.berth.host.broker;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.util.function.BiConsumer;

/** Opens sessions with one broker. */
public interface BrokerConnector {
    /**
     * Opens a session and begins to listen for the account's order news.
     *
     * @param news called with every piece of it, from a thread of the session
     * @throws BrokerSession.RefusedException when the broker does not know the credentials
     * @throws IOException when the broker does not answer
     */
    BrokerSession open(AccountKey account, Credentials credentials, BiConsumer<ClientOrderId, VenueReport> news)
            throws IOException, InterruptedException;
}
