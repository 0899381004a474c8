package dev.berth.rest.risk;

import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.risk.Quote;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broker that has quotes of every symbol but those that it refuses, as Alpaca does, with the
 * whole question.
 */
class AlpacaQuotesTest {
    private static final Quote QUOTE = new Quote(Decimal.of("1.5"), Decimal.of("2"), NOON);
    private static final List<String> MANY =
            IntStream.range(0, 250).mapToObj(number -> "S" + number).toList();

    private final List<List<String>> questions = new CopyOnWriteArrayList<>();
    private final Map<String, Quote> found = new HashMap<>();
    private volatile Set<String> refused = Set.of();
    private volatile int status = 400;
    private volatile boolean stalls;
    private volatile String prices = "{\"bp\":1.5,\"ap\":2}";
    private HttpServer server;
    private AlpacaQuotes quotes;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v2/stocks/quotes/latest", this::answer);
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        quotes = new AlpacaQuotes(HttpClient.newHttpClient(), uri, Optional.empty());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange call) throws IOException {
        List<String> symbols = List.of(
                call.getRequestURI().getQuery().substring("symbols=".length()).split(","));
        questions.add(symbols);
        boolean bad = !Collections.disjoint(symbols, refused);
        String all = symbols.stream()
                .map(symbol -> "\"" + symbol + "\":" + prices)
                .collect(Collectors.joining(",", "{\"quotes\":{", "}}"));
        if (stalls) {
            call.sendResponseHeaders(200, 100);
            call.getResponseBody().write('{');
            call.getResponseBody().flush();
            return;
        }
        byte[] body = (bad ? "{\"message\":\"invalid symbol\"}" : all).getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(bad ? status : 200, body.length);
        call.getResponseBody().write(body);
        call.close();
    }

    private void ask(Instant now) throws Exception {
        found.clear();
        questions.clear();
        quotes.latest(MANY, () -> now, found::putAll);
    }

    @Tag("X10")
    @DisplayName("Quotes are asked for a hundred at a time")
    @Test
    void quotesAreRequestedByHundreds() throws Exception {
        ask(NOON);
        assertThat(found).containsOnlyKeys(MANY).containsValue(QUOTE);
        assertThat(questions).extracting(List::size).containsExactly(100, 100, 50);
    }

    @Tag("X10")
    @DisplayName("Symbols that the broker refuses cost no other its quote, and are left out for an " + "hour")
    @Test
    void refusedSymbolsCostNoOtherQuote() throws Exception {
        refused = Set.of("S7", "S8", "S200");
        for (Instant now : List.of(NOON, NOON.plusSeconds(1))) {
            ask(now);
            assertThat(found).hasSize(247).doesNotContainKeys("S7", "S8", "S200");
        }
        assertThat(questions).hasSize(3);
        refused = Set.of();
        ask(NOON.plus(Duration.ofMinutes(61)));
        assertThat(found).containsOnlyKeys(MANY);
    }

    @Tag("X10")
    @DisplayName("A broker that refuses its caller is not asked for every symbol")
    @Test
    void refusedCallerStopsAsking() {
        refused = Set.of("S7");
        status = 429;
        assertThatThrownBy(() -> ask(NOON)).isInstanceOf(IOException.class).hasMessageContaining("429");
        assertThat(questions.size()).isLessThanOrEqualTo(3);
    }

    @Tag("X10")
    @DisplayName(
            "A broker that refuses everything for a while, as a proxy may, costs no symbol more " + "than that while")
    @Test
    void fullRefusalExcludesNoSymbol() throws Exception {
        refused = Set.copyOf(MANY);
        assertThatThrownBy(() -> ask(NOON)).isInstanceOf(IOException.class).hasMessageContaining("every question");
        assertThat(questions.size()).isLessThanOrEqualTo(20);
        refused = Set.of();
        ask(NOON.plusSeconds(1));
        assertThat(found).containsOnlyKeys(MANY);
    }

    @Tag("X10")
    @DisplayName("A broker that stalls in the middle of its answer does not end the reading of quotes")
    @Test
    void stalledAnswerDoesNotEndReading() throws Exception {
        stalls = true;
        assertThatThrownBy(() -> ask(NOON)).isInstanceOf(IOException.class);
        stalls = false;
        ask(NOON.plusSeconds(1));
        assertThat(found).containsOnlyKeys(MANY);
    }

    @Tag("X10")
    @DisplayName("A symbol without a bid or an ask is left out")
    @Test
    void oneSidedQuoteIsLeftOut() throws Exception {
        for (String none : List.of("null", "{}", "{\"bp\":null,\"ap\":2}", "{\"bp\":1,\"ap\":0}")) {
            prices = none;
            ask(NOON);
            assertThat(found).as(none).isEmpty();
        }
    }
}
