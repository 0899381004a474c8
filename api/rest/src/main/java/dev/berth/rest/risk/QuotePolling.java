package dev.berth.rest.risk;

import dev.berth.process.PeriodicTask;
import dev.berth.process.settings.BerthSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
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
                        HttpClient.newBuilder().connectTimeout(CONNECT).build(), risk.quotesUrl(), key(risk));
    }

    /** Empty if the broker needs none. */
    private static Optional<AlpacaQuotes.ApiKey> key(BerthSettings.Risk risk) {
        if (risk.quotesKeyId() == null || risk.quotesSecretFile() == null) {
            return Optional.empty();
        }
        try {
            String secret = Files.readString(risk.quotesSecretFile()).strip();
            return Optional.of(new AlpacaQuotes.ApiKey(risk.quotesKeyId(), secret));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
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
