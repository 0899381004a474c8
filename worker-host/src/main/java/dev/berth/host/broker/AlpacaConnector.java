package dev.berth.host.broker;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Opens sessions with Alpaca, or with any venue that speaks its Trading API. */
public final class AlpacaConnector implements BrokerConnector {
    private final Supplier<HttpClient> http;
    private final URI base;
    private final long epoch;
    private final Duration callLimit;

    /**
     * Prepares to open sessions; nothing is sent yet.
     *
     * @param http asked for when a session is opened
     * @param base such as {@code https://paper-api.alpaca.markets}
     * @param epoch sent along with every request, for the record
     */
    public AlpacaConnector(Supplier<HttpClient> http, URI base, long epoch) {
        this(http, base, epoch, OrderPolicies.OTHER_CALL);
    }

    /** With a limit of its own for each call but a submission, which brings its own. */
    public AlpacaConnector(Supplier<HttpClient> http, URI base, long epoch, Duration callLimit) {
        this.http = http;
        this.base = base;
        this.epoch = epoch;
        this.callLimit = callLimit;
    }

    @Override
    public BrokerSession open(AccountKey account, Credentials credentials, BiConsumer<ClientOrderId, VenueReport> news)
            throws IOException, InterruptedException {
        AlpacaNews stream = new AlpacaNews(http.get(), base, credentials, epoch, news);
        AlpacaSession session = new AlpacaSession(http.get(), base, credentials, epoch, callLimit, stream);
        session.verify();
        stream.listen();
        return session;
    }
}
