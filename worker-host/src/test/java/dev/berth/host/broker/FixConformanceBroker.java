package dev.berth.host.broker;

import dev.berth.host.broker.fix.FixConnector;
import dev.berth.host.broker.fix.FixJournal;
import dev.berth.host.broker.fix.FixSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import quickfix.ConfigError;

/** A FIX acceptor, and the adapter with a journal that outlives its processes. */
final class FixConformanceBroker extends ExchangeConformanceBroker {
    private final FixBroker broker;
    private final InMemoryFixJournal journal = new InMemoryFixJournal();
    private final boolean lists;

    /** @param lists whether the counterparty has requests for all orders at once */
    FixConformanceBroker(boolean lists) throws IOException, ConfigError {
        this(new FakeExchange(), lists);
    }

    private FixConformanceBroker(FakeExchange exchange, boolean lists) throws IOException, ConfigError {
        this(exchange, new FixBroker(exchange, lists), lists);
    }

    private FixConformanceBroker(FakeExchange exchange, FixBroker broker, boolean lists) throws IOException {
        super(exchange, broker.port(), broker.faults, "1");
        this.broker = broker;
        this.lists = lists;
    }

    InMemoryFixJournal journal() {
        return journal;
    }

    FixBroker broker() {
        return broker;
    }

    @Override
    public BrokerConnector connector(long epoch) {
        return connector(epoch, journal.of(epoch));
    }

    /** Of a counterparty whose numbers begin anew with each logon. */
    BrokerConnector resettingConnector(long epoch) {
        return connector(epoch, journal.of(epoch), true);
    }

    BrokerConnector connector(long epoch, FixJournal of) {
        return connector(epoch, of, false);
    }

    private BrokerConnector connector(long epoch, FixJournal of, boolean resets) {
        FixSettings settings = FixSettings.from(Map.of(
                "BERTH_FIX_RESET_ON_LOGON",
                String.valueOf(resets),
                "BERTH_FIX_PAPER_ADDRESS",
                "127.0.0.1:" + network().port(),
                "BERTH_FIX_TARGET_COMP_ID",
                FixBroker.BROKER,
                "BERTH_FIX_TLS",
                "false",
                "BERTH_FIX_HEARTBEAT",
                "PT5S",
                "BERTH_FIX_MASS_STATUS",
                String.valueOf(lists),
                "BERTH_FIX_MASS_CANCEL",
                String.valueOf(lists)));
        return new FixConnector(settings, _ -> of, epoch, Duration.ofSeconds(5));
    }

    @Override
    public void revokeCredentials() {
        super.revokeCredentials();
        broker.endRevoked();
    }

    @Override
    public void close() {
        super.close();
        broker.close();
    }
}
