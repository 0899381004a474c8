package dev.berth.host.broker;

import dev.berth.workflows.broker.AccountKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Opens sessions with Alpaca, or with any venue that has its Trading API. */
public final class AlpacaConnector implements BrokerConnector {
    /** The request limit of one account, until the broker reports another. */
    private static final int REQUESTS_PER_MINUTE = 200;

    /** A session with other credentials uses the same account. */
    private final Map<AccountKey, RequestBudget> budgets = new ConcurrentHashMap<>();

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
    public BrokerSession open(AccountKey account, BrokerCredentials credentials, SessionListener listener)
            throws IOException, InterruptedException {
        URI base = endpoints.of(account);
        RequestBudget budget = budgets.computeIfAbsent(account, _ -> new RequestBudget(REQUESTS_PER_MINUTE));
        AlpacaHttp alpaca = new AlpacaHttp(http.get(), base, credentials, epoch, budget);
        AlpacaSession session = new AlpacaSession(alpaca, callLimit, account, listener);
        session.verify();
        session.listen();
        return session;
    }
}
