package dev.berth.host.broker;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import quickfix.ConfigError;

final class FixConformanceBroker implements ConformanceBroker {
    private static final BrokerCredentials CREDENTIALS = new BrokerCredentials("alice", "open-sesame");

    private final FakeExchange exchange = new FakeExchange();
    private final FixBroker broker = new FixBroker(exchange);
    private final CuttingProxy network = new CuttingProxy(broker.port());
    private final FixJournal journal = new FixJournal();
    private final Set<String> working = ConcurrentHashMap.newKeySet();

    FixConformanceBroker() throws IOException, ConfigError {}

    @Override
    public BrokerConnector connector(long epoch) {
        return (_, credentials, onReport) ->
                new FixSession(network.port(), credentials, journal, epoch, working, onReport);
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
        broker.revoked = true;
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
        broker.losesAnswer = true;
    }

    @Override
    public void garbleNextAnswer() {
        broker.garblesNext = true;
    }

    @Override
    public void garbleAnswers(boolean on) {
        broker.garbles = on;
    }

    @Override
    public void refuseCancels() {
        broker.refusesCancels = true;
    }

    @Override
    public void correct(String price) {
        exchange.correct(new BigDecimal(price));
    }

    @Override
    public void limitRate(boolean on) {
        broker.busy = on;
    }

    @Override
    public void tradeForeignOrder() {
        exchange.submit("by hand / 1", "B", "AAPL", BigDecimal.ONE, null);
    }

    @Override
    public void addUnreadableOrder() {
        exchange.submit("8f14e45f-ceea", "?", "?", BigDecimal.ZERO, BigDecimal.ONE);
    }

    @Override
    public void disconnect() {
        network.disconnect();
    }

    @Override
    public void reconnect() {
        network.reconnect();
    }

    @Override
    public void cutAfter(int bytes) {
        network.cutAfter(bytes);
    }

    @Override
    public boolean stopCutting() {
        return network.stopCutting();
    }

    @Override
    public void close() {
        network.close();
        broker.close();
    }
}
