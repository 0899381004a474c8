package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The event stream of an order. */
@ExtendWith(StackExtension.class)
class EventStreamTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** A stream without a notification polls after 5 s. */
    private static final Duration BEFORE_POLL = Duration.ofSeconds(4);

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

    /** The lines that a stream has delivered, and its end. */
    private record ReceivedEvents(List<String> lines, CompletableFuture<HttpResponse<Stream<String>>> end) {
        List<String> data() {
            return lines.stream()
                    .filter(line -> line.startsWith("data: "))
                    .map(line -> line.substring("data: ".length()))
                    .toList();
        }
    }

    private ReceivedEvents listen(String id, String... headers) {
        List<String> lines = new CopyOnWriteArrayList<>();
        var end = http.sendAsync(request(trader, id, headers), BodyHandlers.ofLines())
                .thenApplyAsync(answer -> {
                    answer.body().forEach(lines::add);
                    return answer;
                });
        return new ReceivedEvents(lines, end);
    }

    private List<String> statuses(ReceivedEvents events) throws Exception {
        List<String> statuses = new ArrayList<>();
        for (String data : events.data()) {
            statuses.add(JsonRecords.read(data, PlacedOrder.class).status());
        }
        return statuses;
    }

    @Test
    @Tag("D11")
    @DisplayName("The stream replays the log, pushes each further step and ends with the order")
    void streamPushesEachStep() throws Exception {
        // A session's first order may need one step more.
        Eventually.filled(trader, "warm");
        trader.submit(OrderBody.limit("live", "NVDA", "buy", "10", "95"), 60);
        ReceivedEvents events = listen("live");
        await().atMost(TIMEOUT).until(() -> statuses(events).equals(List.of("PENDING", "DISPATCHED", "NEW")));
        venue.quote("NVDA", "94", "94.5", 4);
        await().atMost(TIMEOUT).until(() -> trader.statuses("live").contains("PARTIALLY_FILLED"));
        await().atMost(BEFORE_POLL).until(() -> statuses(events).contains("PARTIALLY_FILLED"));
        assertThat(events.end()).isNotDone();
        venue.quote("NVDA", "93", "93.5");
        HttpResponse<Stream<String>> answer = events.end().get(20, TimeUnit.SECONDS);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        assertThat(statuses(events)).containsExactly("PENDING", "DISPATCHED", "NEW", "PARTIALLY_FILLED", "FILLED");
        JsonNode eventLog = trader.get("/v1/orders/live/events").body();
        assertThat(eventLog.findValuesAsText("revision"))
                .isEqualTo(events.lines().stream()
                        .filter(line -> line.startsWith("id: "))
                        .map(line -> line.substring("id: ".length()))
                        .toList());
        assertThat(trader.steps("live"))
                .allSatisfy(step -> assertThat(step.at()).isNotNull());
        assertThat(json.readTree(events.data().getLast())).isEqualTo(eventLog.path(eventLog.size() - 1));
    }

    @Test
    @Tag("D11")
    @DisplayName("Last-Event-ID resumes a stream; 204 when no event can follow")
    void lastEventIdResumesStream() throws Exception {
        trader.submit(OrderBody.market("goes-on", "AAPL", "buy", "1"), 60);
        ReceivedEvents all = listen("goes-on");
        all.end().get(20, TimeUnit.SECONDS);
        assertThat(statuses(all)).containsExactly("PENDING", "DISPATCHED", "FILLED");
        String first = all.lines().getFirst().substring("id: ".length());
        ReceivedEvents resumed = listen("goes-on", "Last-Event-ID", first);
        resumed.end().get(20, TimeUnit.SECONDS);
        assertThat(statuses(resumed)).containsExactly("DISPATCHED", "FILLED");
        ReceivedEvents none = listen("goes-on", "Last-Event-ID", "99");
        assertThat(none.end().get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(204);
    }

    @Test
    @DisplayName("Another user's order is 404, and a malformed Last-Event-ID is 400")
    void foreignOrderAndBadEventIdAreRefused() throws Exception {
        trader.submit(OrderBody.market("mine", "AAPL", "buy", "1"), 60);
        Trader other = stack.trader("listener-2");
        assertThat(http.send(request(other, "mine"), BodyHandlers.ofString()).statusCode())
                .isEqualTo(404);
        assertThat(http.send(request(trader, "mine", "Last-Event-ID", "x"), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("A user's 21st stream is 429")
    void streamLimitPerUser() throws Exception {
        trader.submit(OrderBody.limit("rests", "AAPL", "buy", "1", "50"), 60);
        List<ReceivedEvents> open = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            open.add(listen("rests"));
        }
        for (ReceivedEvents one : open) {
            await().atMost(TIMEOUT).until(() -> !one.data().isEmpty());
        }
        HttpResponse<String> refused = http.send(request(trader, "rests"), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("urn:berth:problem:too-many-streams");
        trader.delete("/v1/orders/rests");
        for (ReceivedEvents one : open) {
            one.end().get(20, TimeUnit.SECONDS);
            assertThat(statuses(one)).endsWith("CANCELED");
        }
    }
}
