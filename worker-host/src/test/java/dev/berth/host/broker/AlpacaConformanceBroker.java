package dev.berth.host.broker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.TestVenue;
import dev.berth.local.venue.VenueRules;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The paper venue behind a network that fails. */
final class AlpacaConformanceBroker implements ConformanceBroker {
    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);
    private static final BrokerCredentials ALICES = new BrokerCredentials("alice", "paper-alice");

    private final TestVenue venue;
    private final CuttingProxy network;

    AlpacaConformanceBroker(Path folder) throws IOException {
        // A cut at every byte takes more requests than a minute allows, and more streams.
        this.venue = TestVenue.start(folder, new VenueRules(100_000, Duration.ZERO));
        this.network = new CuttingProxy(venue.uri().getPort());
    }

    @Override
    public BrokerConnector connector(long epoch) {
        URI address = URI.create("http://127.0.0.1:" + network.port());
        return new AlpacaConnector(() -> TestVenue.HTTP, new AlpacaEndpoints(address, null), epoch, CALL_LIMIT);
    }

    @Override
    public BrokerCredentials credentials() {
        return ALICES;
    }

    @Override
    public BrokerCredentials refusedCredentials() {
        return new BrokerCredentials("alice", "guessed");
    }

    @Override
    public void revokeCredentials() {
        venue.faults("\"revoked\":[\"alice\"]");
    }

    @Override
    public List<String> accepted() {
        return venue.orders().stream()
                .map(order -> order.path("client_order_id").asText())
                .toList();
    }

    @Override
    public void trade(String quantity, String price) {
        venue.offer("AAPL", price, Integer.parseInt(quantity));
    }

    @Override
    public void loseNextAnswer() {
        venue.faults("\"dropAnswer\":1.0");
    }

    @Override
    public void garbleNextAnswer() {
        venue.faults("""
                "answers":[{"method":"POST","carriedOut":true,"status":408,"body":"{\\"code\\":-1007}","probability":1.0}]""");
    }

    @Override
    public void garbleAnswers(boolean on) {
        venue.faults(on ? """
                "answers":[{"carriedOut":false,"status":404,"body":"<html>nginx</html>","probability":1.0}]""" : "");
    }

    @Override
    public void refuseCancels() {
        venue.faults("""
                "answers":[{"method":"DELETE","carriedOut":false,"status":422,"probability":1.0,
                "body":"{\\"code\\":42210000,\\"message\\":\\"order is not cancelable\\"}"}]""");
    }

    @Override
    public void correct(String price) {
        JsonNode order = venue.orders().stream()
                .filter(one -> !one.path("fills").isEmpty())
                .findFirst()
                .orElseThrow();
        venue.correct(
                order.path("id").asText(),
                order.path("fills").path(0).path("execution_id").asText(),
                price);
    }

    @Override
    public void limitRate(boolean on) {
        venue.faults("\"tooManyRequests\":" + on);
    }

    @Override
    public void tradeForeignOrder() {
        venue.submitForeign("alice", "paper-alice", "by hand / 1");
    }

    @Override
    public void addUnreadableOrder() {
        venue.faults("""
                "foreignOrders":[{"id":"5b4c1c4e-6a0e-4d0c-9f0f-3c2f8f0a7d11","client_order_id":"8f14e45f-ceea",
                "status":"new","qty":null,"notional":"50","filled_qty":null,"updated_at":null}]""");
    }

    @Override
    public CuttingProxy network() {
        return network;
    }

    @Override
    public void close() {
        network.close();
        venue.close();
    }
}
