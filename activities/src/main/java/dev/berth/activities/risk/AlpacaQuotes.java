package dev.berth.activities.risk;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.risk.Quote;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Alpaca's market data: {@code GET /v2/stocks/quotes/latest}. */
public final class AlpacaQuotes {
    /** Shorter than a quote is fresh, so that one slow answer is made up for by the next. */
    private static final Duration ANSWER = Duration.ofSeconds(3);

    private final HttpClient http;
    private final URI base;
    private final Optional<Key> key;

    /** @param key absent for a venue that asks for none */
    public AlpacaQuotes(HttpClient http, URI base, Optional<Key> key) {
        this.http = http;
        this.base = base;
        this.key = key;
    }

    /** What the broker knows its caller by. */
    public record Key(String keyId, String secret) {
        @Override
        public String toString() {
            return "Key[" + keyId + "]";
        }
    }

    private record Answer(Map<String, Prices> quotes) {}

    /** Best bid and ask; zero when there is none. */
    private record Prices(BigDecimal bp, BigDecimal ap) {}

    /**
     * The last quotes. A symbol that the broker has none of, or only one side, is left out.
     *
     * @param asked what the quotes' time is to be
     * @throws IOException when the broker does not answer, or refuses
     */
    public Map<String, Quote> latest(Collection<String> symbols, Instant asked)
            throws IOException, InterruptedException {
        String query = URLEncoder.encode(String.join(",", symbols), StandardCharsets.UTF_8);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        base.toString().replaceFirst("/$", "") + "/v2/stocks/quotes/latest?symbols=" + query))
                .timeout(ANSWER);
        key.ifPresent(
                mine -> request.header("APCA-API-KEY-ID", mine.keyId()).header("APCA-API-SECRET-KEY", mine.secret()));
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("the broker answered " + answer.statusCode() + " to a question for quotes");
        }
        Map<String, Quote> quotes = new HashMap<>();
        Json.read(answer.body(), Answer.class).quotes().forEach((symbol, prices) -> {
            if (prices.bp().signum() > 0 && prices.ap().signum() > 0) {
                quotes.put(symbol, new Quote(new Decimal(prices.bp()), new Decimal(prices.ap()), asked));
            }
        });
        return quotes;
    }
}
