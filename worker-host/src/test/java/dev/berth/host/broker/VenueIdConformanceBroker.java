package dev.berth.host.broker;

import dev.berth.host.broker.venueid.IdentifyingSession;
import dev.berth.host.broker.venueid.OrderClaims;
import dev.berth.workflows.broker.OrderIdentity;
import java.io.IOException;

/** A broker that knows ids of its own alone, and the claims, which outlive its processes. */
public final class VenueIdConformanceBroker extends ExchangeConformanceBroker {
    private final LineBroker broker;
    private final OrderIdentity identity;
    private final boolean isExclusive;
    private final InMemoryOrderClaims claims = new InMemoryOrderClaims();

    public VenueIdConformanceBroker(OrderIdentity identity, boolean isExclusive) throws IOException {
        this(new FakeExchange(), identity, isExclusive);
    }

    private VenueIdConformanceBroker(FakeExchange exchange, OrderIdentity identity, boolean isExclusive)
            throws IOException {
        this(exchange, new LineBroker(exchange, identity), identity, isExclusive);
    }

    private VenueIdConformanceBroker(
            FakeExchange exchange, LineBroker broker, OrderIdentity identity, boolean isExclusive) throws IOException {
        super(exchange, broker.port(), broker.faults, "BUY");
        this.broker = broker;
        this.identity = identity;
        this.isExclusive = isExclusive;
    }

    InMemoryOrderClaims claims() {
        return claims;
    }

    @Override
    public BrokerConnector connector(long epoch) {
        BrokerConnector connector = connector(epoch, claims);
        return (account, credentials, listener) -> claims.intending(connector.open(account, credentials, listener));
    }

    /** Of a worker whose orders have intents there before they are written. */
    public BrokerConnector connector(long epoch, OrderClaims of) {
        // No event is repeated: the orders are compared.
        SessionJournal journal = new SessionJournal(Integer.MAX_VALUE);
        return (_, credentials, listener) -> IdentifyingSession.open(
                changes -> LineVenueIdSession.open(network().port(), credentials, journal, epoch, identity, changes),
                of,
                isExclusive,
                epoch,
                listener);
    }

    @Override
    public boolean replaces() {
        return false;
    }

    @Override
    public void close() {
        super.close();
        broker.close();
    }
}
