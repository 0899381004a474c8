package dev.berth.rest.risk;

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
import java.net.http.HttpTimeoutException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /**
     * Refusals of who asks, or how often, whatever is asked for: unauthorized, forbidden, late, too
     * many.
     */
    private static final Set<Integer> OF_THE_CALLER = Set.of(401, 403, 408, 429);

    /** It may be listed by then. To find it again costs some 14 requests. */
    private static final Duration REFUSED_FOR = Duration.ofHours(1);

    /** So many questions without one answer: the broker refuses something else than symbols. */
    private static final int MOST_IN_VAIN = 16;

    private static final Logger LOG = LoggerFactory.getLogger(AlpacaQuotes.class);

    private final HttpClient http;
    private final URI base;
    private final Optional<ApiKey> key;
    /** Symbols that the broker refused to be asked for, and when. */
    private final Map<String, Instant> refused = new ConcurrentHashMap<>();

    /** @param key absent for a venue that asks for none */
    public AlpacaQuotes(HttpClient http, URI base, Optional<ApiKey> key) {
        this.http = http;
        this.base = base;
        this.key = key;
    }

    /** What the broker knows its caller by. */
    public record ApiKey(String keyId, String secret) {
        @Override
        public String toString() {
            return "Key[" + keyId + "]";
        }
    }

    /** Null when it has none at all. */
    private record LatestQuotes(@Nullable Map<String, @Nullable Prices> quotes) {}

    /** Best bid and ask; zero or absent when there is none. */
    private record Prices(@Nullable BigDecimal bp, @Nullable BigDecimal ap) {
        Optional<Quote> at(Instant asked) {
            return bp == null || ap == null || bp.signum() <= 0 || ap.signum() <= 0
                    ? Optional.empty()
                    : Optional.of(new Quote(new Decimal(bp), new Decimal(ap), asked));
        }
    }

    /**
     * Asks for the last quotes. A symbol that the broker has none of, or only one side, is left
     * out; so is, for an hour, one that it refuses to be asked for.
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
        new Round(clock, found).ask(good);
    }

    /** Some questions, one after the other. */
    private final class Round {
        private final Supplier<Instant> clock;
        private final Consumer<Map<String, Quote>> found;
        private final Map<String, Instant> alone = new HashMap<>();
        private int questions;
        private boolean answered;

        Round(Supplier<Instant> clock, Consumer<Map<String, Quote>> found) {
            this.clock = clock;
            this.found = found;
        }

        void ask(List<String> symbols) throws IOException, InterruptedException {
            List<List<String>> uncertain = new ArrayList<>();
            for (int from = 0; from < symbols.size(); from += AT_ONCE) {
                List<String> some = symbols.subList(from, Math.min(from + AT_ONCE, symbols.size()));
                if (!isTaken(some)) {
                    uncertain.add(some);
                }
            }
            // Last, so that it delays no other symbol.
            for (List<String> some : uncertain) {
                halve(some);
            }
            if (!alone.isEmpty()) {
                requireAnyAnswer();
                LOG.warn(
                        "the broker refuses to be asked for quotes of {}: left out for {}",
                        alone.keySet(),
                        REFUSED_FOR);
                refused.putAll(alone);
            }
        }

        /** Asks for less and less, until the symbols that are refused stand alone. */
        private void halve(List<String> some) throws IOException, InterruptedException {
            if (some.size() == 1) {
                alone.put(some.getFirst(), clock.get());
                return;
            }
            int middle = some.size() / 2;
            for (List<String> half : List.of(some.subList(0, middle), some.subList(middle, some.size()))) {
                if (!isTaken(half)) {
                    if (questions >= MOST_IN_VAIN) {
                        requireAnyAnswer();
                    }
                    halve(half);
                }
            }
        }

        /** Else it is not the symbols that it refuses. */
        private void requireAnyAnswer() throws IOException {
            if (!answered) {
                throw new IOException("the broker refuses every question for quotes");
            }
        }

        /**
         * @return false when the broker does not take the question, perhaps for one of these
         *     symbols
         */
        private boolean isTaken(List<String> some) throws IOException, InterruptedException {
            Instant asked = clock.get();
            HttpResponse<String> answer = answered(question(some));
            questions++;
            int status = answer.statusCode();
            if (status / 100 == 4 && !OF_THE_CALLER.contains(status)) {
                return false;
            }
            if (status != 200) {
                throw new IOException("the broker answered " + status + " to a question for quotes");
            }
            answered = true;
            found.accept(read(answer.body(), asked));
            return true;
        }
    }

    /**
     * The request's own limit ends with the headers; a body that stalls would be waited for without
     * end.
     */
    private HttpResponse<String> answered(HttpRequest question) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(question, HttpResponse.BodyHandlers.ofString());
        try {
            return answer.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stalled) {
            throw new HttpTimeoutException("no whole answer within " + ANSWER);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private HttpRequest question(List<String> symbols) {
        String query = URLEncoder.encode(String.join(",", symbols), StandardCharsets.UTF_8);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        base.toString().replaceFirst("/$", "") + "/v2/stocks/quotes/latest?symbols=" + query))
                .timeout(ANSWER);
        key.ifPresent(
                mine -> request.header("APCA-API-KEY-ID", mine.keyId()).header("APCA-API-SECRET-KEY", mine.secret()));
        return request.build();
    }

    private static Map<String, Quote> read(String body, Instant asked) {
        Map<String, Quote> quotes = new HashMap<>();
        Map<String, @Nullable Prices> all =
                Objects.requireNonNullElse(Json.read(body, LatestQuotes.class).quotes(), Map.of());
        all.forEach((symbol, prices) -> Optional.ofNullable(prices)
                .flatMap(some -> some.at(asked))
                .ifPresent(quote -> quotes.put(symbol, quote)));
        return quotes;
    }
}
