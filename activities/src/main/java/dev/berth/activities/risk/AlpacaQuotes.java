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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Alpaca's market data: {@code GET /v2/stocks/quotes/latest}. */
public final class AlpacaQuotes {
    /** Shorter than a quote is fresh, so that one slow answer is made up for by the next. */
    private static final Duration ANSWER = Duration.ofSeconds(3);

    /** Fewer than make an address too long. */
    private static final int AT_ONCE = 100;

    /** Refusals of who asks, or how often, whatever is asked for: unauthorized, forbidden, late, too many. */
    private static final Set<Integer> OF_THE_CALLER = Set.of(401, 403, 408, 429);

    /** It may be listed by then. To find it again costs some 14 requests. */
    private static final Duration REFUSED_FOR = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(AlpacaQuotes.class);

    private final HttpClient http;
    private final URI base;
    private final Optional<Key> key;
    /** Symbols that the broker refused to be asked for, and when. */
    private final Map<String, Instant> refused = new ConcurrentHashMap<>();

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

    /** Null when it has none at all. */
    private record Answer(@Nullable Map<String, @Nullable Prices> quotes) {}

    /** Best bid and ask; zero or absent when there is none. */
    private record Prices(@Nullable BigDecimal bp, @Nullable BigDecimal ap) {
        Optional<Quote> at(Instant asked) {
            return bp == null || ap == null || bp.signum() <= 0 || ap.signum() <= 0
                    ? Optional.empty()
                    : Optional.of(new Quote(new Decimal(bp), new Decimal(ap), asked));
        }
    }

    /**
     * Asks for the last quotes. A symbol that the broker has none of, or only one side, is left out; so is, for an hour,
     * one that it refuses to be asked for.
     *
     * @param clock what the quotes' time is to be
     * @param found told of some quotes after the other, as soon as they are there
     * @throws IOException when the broker does not answer, or refuses everything
     */
    public void latest(Collection<String> symbols, Supplier<Instant> clock, Consumer<Map<String, Quote>> found)
            throws IOException, InterruptedException {
        Instant now = clock.get();
        refused.values().removeIf(since -> since.plus(REFUSED_FOR).isBefore(now));
        List<String> good = symbols.stream()
                .filter(symbol -> !refused.containsKey(symbol))
                .sorted()
                .toList();
        List<List<String>> doubtful = new ArrayList<>();
        for (int from = 0; from < good.size(); from += AT_ONCE) {
            List<String> some = good.subList(from, Math.min(from + AT_ONCE, good.size()));
            if (!ask(some, clock, found)) {
                doubtful.add(some);
            }
        }
        // Last, so that nobody else waits for it.
        for (List<String> some : doubtful) {
            halve(some, clock, found);
        }
    }

    /** Asks for less and less, until the symbols that are refused stand alone. */
    private void halve(List<String> some, Supplier<Instant> clock, Consumer<Map<String, Quote>> found)
            throws IOException, InterruptedException {
        if (some.size() == 1) {
            LOG.warn("the broker refuses to be asked for quotes of {}; it is left out for {}", some, REFUSED_FOR);
            refused.put(some.getFirst(), clock.get());
            return;
        }
        int middle = some.size() / 2;
        for (List<String> half : List.of(some.subList(0, middle), some.subList(middle, some.size()))) {
            if (!ask(half, clock, found)) {
                halve(half, clock, found);
            }
        }
    }

    /** @return false when the broker does not take the question, perhaps for one of these symbols */
    private boolean ask(List<String> some, Supplier<Instant> clock, Consumer<Map<String, Quote>> found)
            throws IOException, InterruptedException {
        Instant asked = clock.get();
        String query = URLEncoder.encode(String.join(",", some), StandardCharsets.UTF_8);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        base.toString().replaceFirst("/$", "") + "/v2/stocks/quotes/latest?symbols=" + query))
                .timeout(ANSWER);
        key.ifPresent(
                mine -> request.header("APCA-API-KEY-ID", mine.keyId()).header("APCA-API-SECRET-KEY", mine.secret()));
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        int status = answer.statusCode();
        if (status / 100 == 4 && !OF_THE_CALLER.contains(status)) {
            return false;
        }
        if (status != 200) {
            throw new IOException("the broker answered " + status + " to a question for quotes");
        }
        found.accept(read(answer.body(), asked));
        return true;
    }

    private static Map<String, Quote> read(String body, Instant asked) {
        Map<String, Quote> quotes = new HashMap<>();
        Map<String, @Nullable Prices> all =
                Objects.requireNonNullElse(Json.read(body, Answer.class).quotes(), Map.of());
        all.forEach((symbol, prices) -> Optional.ofNullable(prices)
                .flatMap(some -> some.at(asked))
                .ifPresent(quote -> quotes.put(symbol, quote)));
        return quotes;
    }
}
