package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The event log of an order, live. */
@ExtendWith(OnTheStack.class)
class EventStreamTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    /** Whoever was told nothing looks after 5 s. */
    private static final Duration BEFORE_A_LOOK = Duration.ofSeconds(4);

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Stack stack;
    private final Venue venue;
    private final Trader trader;

    EventStreamTest(Stack stack) throws Exception {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.trader = stack.trader("listener");
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
        http.close();
    }

    private HttpRequest request(Trader reader, String id, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + stack.port("API", 8080) + "/v1/orders/" + id + "/events"))
                .header("Authorization", reader.bearer())
                .header("Accept", "text/event-stream");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    /** The lines of a stream, as they come, and its end. */
    private record Heard(List<String> lines, CompletableFuture<HttpResponse<Stream<String>>> end) {
        List<String> data() {
            return lines.stream()
                    .filter(line -> line.startsWith("data: "))
                    .map(line -> line.substring("data: ".length()))
                    .toList();
        }
    }

    private Heard listen(String id, String... headers) {
        List<String> lines = new CopyOnWriteArrayList<>();
        var end = http.sendAsync(request(trader, id, headers), BodyHandlers.ofLines())
                .thenApplyAsync(answer -> {
                    answer.body().forEach(lines::add);
                    return answer;
                });
        return new Heard(lines, end);
    }

    private List<String> statuses(Heard heard) throws Exception {
        List<String> statuses = new ArrayList<>();
        for (String data : heard.data()) {
            statuses.add(json.readTree(data).path("status").asText());
        }
        return statuses;
    }

    @Test
    @DisplayName(
            "D11 the live log tells the log so far, then each step before anybody looks again, and ends with the order")
    void live() throws Exception {
        trader.submit(NewOrder.limit("live", "NVDA", "buy", "10", "95"), 20);
        Heard heard = listen("live");
        await().atMost(SOON).until(() -> statuses(heard).equals(List.of("PENDING", "NEW")));
        venue.quote("NVDA", "94", "94.5", 4);
        await().atMost(BEFORE_A_LOOK).until(() -> statuses(heard).contains("PARTIALLY_FILLED"));
        assertThat(heard.end()).isNotDone();
        venue.quote("NVDA", "93", "93.5");
        HttpResponse<Stream<String>> answer = heard.end().get(20, TimeUnit.SECONDS);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        assertThat(statuses(heard)).containsExactly("PENDING", "NEW", "PARTIALLY_FILLED", "FILLED");
        JsonNode log = trader.get("/v1/orders/live/events").body();
        assertThat(log.findValuesAsText("revision"))
                .isEqualTo(heard.lines().stream()
                        .filter(line -> line.startsWith("id: "))
                        .map(line -> line.substring("id: ".length()))
                        .toList());
        log.forEach(step -> assertThat(Instant.parse(step.path("at").asText())).isNotNull());
        assertThat(json.readTree(heard.data().getLast())).isEqualTo(log.path(log.size() - 1));
    }

    @Test
    @DisplayName("D11 Last-Event-ID goes on where the client was; 204 when there is nothing more to come")
    void goesOn() throws Exception {
        trader.submit(NewOrder.market("goes-on", "AAPL", "buy", "1"), 20);
        Heard all = listen("goes-on");
        all.end().get(20, TimeUnit.SECONDS);
        assertThat(statuses(all)).containsExactly("PENDING", "FILLED");
        String first = all.lines().getFirst().substring("id: ".length());
        Heard rest = listen("goes-on", "Last-Event-ID", first);
        rest.end().get(20, TimeUnit.SECONDS);
        assertThat(statuses(rest)).containsExactly("FILLED");
        Heard none = listen("goes-on", "Last-Event-ID", "99");
        assertThat(none.end().get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(204);
    }

    @Test
    @DisplayName("Nobody follows another user's order, and what is no event id is refused")
    void refused() throws Exception {
        trader.submit(NewOrder.market("mine", "AAPL", "buy", "1"), 20);
        Trader other = stack.trader("listener-2");
        assertThat(http.send(request(other, "mine"), BodyHandlers.ofString()).statusCode())
                .isEqualTo(404);
        assertThat(http.send(request(trader, "mine", "Last-Event-ID", "x"), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("A user holds 20 streams open, the next is 429; other users are not concerned")
    void soManyAndNoMore() throws Exception {
        trader.submit(NewOrder.limit("rests", "AAPL", "buy", "1", "50"), 20);
        List<Heard> open = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            open.add(listen("rests"));
        }
        for (Heard one : open) {
            await().atMost(SOON).until(() -> !one.data().isEmpty());
        }
        HttpResponse<String> refused = http.send(request(trader, "rests"), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("urn:berth:problem:too-many-streams");
        trader.delete("/v1/orders/rests");
        for (Heard one : open) {
            one.end().get(20, TimeUnit.SECONDS);
            assertThat(statuses(one)).endsWith("CANCELED");
        }
    }
}
