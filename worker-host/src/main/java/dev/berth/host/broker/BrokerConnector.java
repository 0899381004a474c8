package dev.berth.host.broker;

import dev.berth.workflows.broker.AccountKey;
import java.io.IOException;

/** Opens sessions with one broker. */
public interface BrokerConnector {
    /**
     * Opens a session and subscribes to the account's execution reports.
     *
     * @param listener hears of every report
     * @throws BrokerSession.RefusedException when the broker rejects the credentials, or the
     *     account's
     *     environment has no endpoint
     * @throws IOException when the broker does not answer
     */
    BrokerSession open(AccountKey account, BrokerCredentials credentials, SessionListener listener)
            throws IOException, InterruptedException;
}
