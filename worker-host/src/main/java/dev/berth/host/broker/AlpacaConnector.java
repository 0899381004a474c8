package dev.berth.host.broker;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.ExecutionReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Opens sessions with Alpaca, or with any venue that has its Trading API. */
public final class AlpacaConnector implements BrokerConnector {
    private final Supplier<HttpClient> http;
    private final AlpacaEndpoints endpoints;
    private final long epoch;
    private final Duration callLimit;

    /**
     * Sends nothing yet.
     *
     * @param http the client, first needed when a session is opened
     * @param endpoints the account's environment selects one
     * @param epoch sent with every request, for audits
     * @param callLimit for each call except a submission, which has its own
     */
    public AlpacaConnector(Supplier<HttpClient> http, AlpacaEndpoints endpoints, long epoch, Duration callLimit) {
        this.http = http;
        this.endpoints = endpoints;
        this.epoch = epoch;
        this.callLimit = callLimit;
    }

    @Override
    public BrokerSession open(
            AccountKey account, BrokerCredentials credentials, BiConsumer<ClientOrderId, ExecutionReport> onReport)
            throws IOException, InterruptedException {
        URI base = endpoints.of(account);
        AlpacaHttp alpaca = new AlpacaHttp(http.get(), base, credentials, epoch);
        AlpacaTradeUpdates tradeUpdates = new AlpacaTradeUpdates(alpaca, onReport);
        AlpacaSession session = new AlpacaSession(alpaca, callLimit, tradeUpdates);
        session.verify();
        tradeUpdates.connect();
        return session;
    }
}
