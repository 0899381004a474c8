package dev.berth.host.broker;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;

/** A broker in front of a {@link FakeExchange}. */
abstract class ExchangeConformanceBroker implements ConformanceBroker {
    private static final BrokerCredentials CREDENTIALS = new BrokerCredentials("alice", "open-sesame");

    private final CuttingProxy network;
    private final FakeExchange exchange;
    private final BrokerFaults faults;
    private final String buy;

    /** @param buy the broker's word for this side */
    ExchangeConformanceBroker(FakeExchange exchange, int port, BrokerFaults faults, String buy) throws IOException {
        this.exchange = exchange;
        this.network = new CuttingProxy(port);
        this.faults = faults;
        this.buy = buy;
    }

    @Override
    public BrokerCredentials credentials() {
        return CREDENTIALS;
    }

    @Override
    public BrokerCredentials refusedCredentials() {
        return new BrokerCredentials("alice", "open-barley");
    }

    @Override
    public void revokeCredentials() {
        faults.revoked = true;
    }

    @Override
    public List<String> accepted() {
        return exchange.accepted();
    }

    @Override
    public void trade(String quantity, String price) {
        exchange.trade(new BigDecimal(quantity), new BigDecimal(price));
    }

    @Override
    public void loseNextAnswer() {
        faults.losesAnswer = true;
    }

    @Override
    public void garbleNextAnswer() {
        faults.garblesNext = true;
    }

    @Override
    public void garbleAnswers(boolean on) {
        faults.garbles = on;
    }

    @Override
    public void refuseCancels() {
        faults.refusesCancels = true;
    }

    @Override
    public void correct(String price) {
        exchange.correct(new BigDecimal(price));
    }

    @Override
    public void limitRate(boolean on) {
        faults.busy = on;
    }

    @Override
    public void tradeForeignOrder() {
        exchange.submit("by hand / 1", buy, "AAPL", BigDecimal.ONE, null);
    }

    @Override
    public void addUnreadableOrder() {
        exchange.submit("8f14e45f-ceea", "?", "?", BigDecimal.ZERO, BigDecimal.ONE);
    }

    @Override
    public CuttingProxy network() {
        return network;
    }

    @Override
    public void close() {
        network.close();
    }
}
