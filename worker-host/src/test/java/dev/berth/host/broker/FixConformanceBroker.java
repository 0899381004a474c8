package dev.berth.host.broker;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import quickfix.ConfigError;

final class FixConformanceBroker extends ExchangeConformanceBroker {
    private final FixBroker broker;
    private final FixJournal journal = new FixJournal();
    private final Set<String> working = ConcurrentHashMap.newKeySet();

    FixConformanceBroker() throws IOException, ConfigError {
        this(new FakeExchange());
    }

    private FixConformanceBroker(FakeExchange exchange) throws IOException, ConfigError {
        this(exchange, new FixBroker(exchange));
    }

    private FixConformanceBroker(FakeExchange exchange, FixBroker broker) throws IOException {
        super(exchange, broker.port(), broker.faults, "B");
        this.broker = broker;
    }

    @Override
    public BrokerConnector connector(long epoch) {
        return (_, credentials, listener) ->
                new FixSession(network().port(), credentials, journal, epoch, working, listener);
    }

    @Override
    public void close() {
        super.close();
        broker.close();
    }
}
