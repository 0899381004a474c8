package dev.berth.host.broker;

import dev.berth.workflows.broker.OrderIdentity;
import java.io.IOException;
import java.util.function.Consumer;

final class LineConformanceBroker extends ExchangeConformanceBroker {
    private final LineBroker broker;
    private final SessionJournal journal = new SessionJournal();

    LineConformanceBroker() throws IOException {
        this(new FakeExchange());
    }

    private LineConformanceBroker(FakeExchange exchange) throws IOException {
        this(exchange, new LineBroker(exchange, OrderIdentity.UNIQUE));
    }

    private LineConformanceBroker(FakeExchange exchange, LineBroker broker) throws IOException {
        super(exchange, broker.port(), broker.faults, "BUY");
        this.broker = broker;
    }

    @Override
    public BrokerConnector connector(long epoch) {
        return (_, credentials, listener) -> {
            Consumer<String[]> onEvent = event -> {
                try {
                    listener.reported(LineReports.id(event).order(), LineReports.event(event, epoch));
                } catch (IllegalArgumentException foreign) {
                    // An order of another application.
                }
            };
            LineConnection connection =
                    new LineConnection(network().port(), credentials, journal, epoch, onEvent, () -> {});
            connection.open();
            return new LineSession(connection, epoch);
        };
    }

    @Override
    public void close() {
        super.close();
        broker.close();
    }
}
