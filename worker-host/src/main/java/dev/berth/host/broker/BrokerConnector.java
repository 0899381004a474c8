package dev.berth.host.broker;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.ExecutionReport;
import java.io.IOException;
import java.util.function.BiConsumer;

/** Opens sessions with one broker. */
public interface BrokerConnector {
    /**
     * Opens a session and subscribes to the account's execution reports.
     *
     * @param onReport called with every report, on a thread of the session
     * @throws BrokerSession.RefusedException when the broker rejects the credentials, or the
     *     account's
     *     environment has no endpoint
     * @throws IOException when the broker does not answer
     */
    BrokerSession open(
            AccountKey account, BrokerCredentials credentials, BiConsumer<ClientOrderId, ExecutionReport> onReport)
            throws IOException, InterruptedException;
}
