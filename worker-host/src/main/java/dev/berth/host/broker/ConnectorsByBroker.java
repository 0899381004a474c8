package dev.berth.host.broker;

import dev.berth.workflows.broker.AccountKey;
import java.io.IOException;
import java.util.Map;

/** Opens each session with the connector of its account's broker. */
public record ConnectorsByBroker(Map<String, BrokerConnector> connectors) implements BrokerConnector {
    public ConnectorsByBroker {
        connectors = Map.copyOf(connectors);
    }

    @Override
    public BrokerSession open(AccountKey account, BrokerCredentials credentials, SessionListener listener)
            throws IOException, InterruptedException {
        BrokerConnector connector = connectors.get(account.broker());
        if (connector == null) {
            throw new BrokerSession.RefusedException(
                    "Workers have no adapter for the broker " + account.broker() + ".");
        }
        return connector.open(account, credentials, listener);
    }
}
