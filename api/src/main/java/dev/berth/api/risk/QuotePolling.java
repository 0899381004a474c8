package dev.berth.api.risk;

import dev.berth.api.BerthSettings;
import dev.berth.api.PeriodicTask;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the broker's quotes for the risk limits, each second in one of the replicas. */
@Component
class QuotePolling extends PeriodicTask {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final RedisQuotes quotes;
    private final @Nullable AlpacaQuotes broker;

    QuotePolling(RedisQuotes quotes, BerthSettings settings) {
        super("quote-polling", EVERY);
        this.quotes = quotes;
        BerthSettings.Risk risk = settings.risk();
        this.broker = risk.quotesUrl() == null
                ? null
                : new AlpacaQuotes(
                        HttpClient.newBuilder().connectTimeout(CONNECT).build(), risk.quotesUrl(), risk.key());
    }

    @Override
    protected void round() throws Exception {
        if (broker == null || !quotes.isMyTurn()) {
            return;
        }
        Set<String> wanted = quotes.wanted();
        if (!wanted.isEmpty()) {
            broker.latest(wanted, quotes::now, quotes::store);
        }
    }
}
