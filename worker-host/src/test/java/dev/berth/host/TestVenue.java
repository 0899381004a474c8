package dev.berth.host;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.local.venue.PaperVenue;
import dev.berth.local.venue.VenueRules;
import dev.berth.workflows.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A paper venue, its controls and its book. */
public final class TestVenue implements AutoCloseable {
    public static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final String EPOCH_HEADER = "Berth-Epoch";

    private final Path book;
    private final VenueRules rules;
    private PaperVenue venue;

    private TestVenue(Path book, VenueRules rules) {
        this.book = book;
        this.rules = rules;
        this.venue = PaperVenue.start(0, 0, book, EPOCH_HEADER, rules);
    }

    /** As strict as Alpaca. */
    public static TestVenue start(Path folder) {
        return start(folder, VenueRules.STRICT);
    }

    public static TestVenue start(Path folder, VenueRules rules) {
        return new TestVenue(folder.resolve("book.jsonl"), rules);
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + venue.port());
    }

    /** Where the venue serves FIX 4.4, on this machine. */
    public int fixPort() {
        return venue.fixPort();
    }

    /** Breaks every connection; keeps the book and the ports. */
    public void restart() {
        int port = venue.port();
        int fixPort = venue.fixPort();
        venue.close();
        venue = PaperVenue.start(port, fixPort, book, EPOCH_HEADER, rules);
    }

    /** Sets faults, for example {@code "hang": 1.0}. */
    public void faults(String json) {
        control("PUT", "/_control/faults", "{" + json + "}");
    }

    /** Cuts every stream. */
    public void cutStreams() {
        control("POST", "/_control/streams/cut", "{}");
    }

    /** Executes an order that has ended; returns the execution's id. */
    public String executeLate(String venueOrderId, String quantity, String price) {
        return control(
                        "POST",
                        "/_control/orders/" + venueOrderId + "/executions",
                        "{\"qty\":\"%s\",\"price\":\"%s\"}".formatted(quantity, price))
                .path("execution_id")
                .asText();
    }

    public void bust(String venueOrderId, String executionId) {
        control(
                "POST",
                "/_control/orders/" + venueOrderId + "/busts",
                "{\"executionId\":\"%s\"}".formatted(executionId));
    }

    /** Another execution with this price takes the place of this one. */
    public void correct(String venueOrderId, String executionId, String price) {
        control(
                "POST",
                "/_control/orders/" + venueOrderId + "/corrections",
                "{\"executionId\":\"%s\",\"price\":\"%s\"}".formatted(executionId, price));
    }

    /** Streams all executions of the order again. */
    public void repeat(String venueOrderId) {
        control("POST", "/_control/orders/" + venueOrderId + "/repeat", "{}");
    }

    /** Only so many shares are for sale at the ask. */
    public void offer(String symbol, String ask, int size) {
        control(
                "PUT",
                "/_control/quotes/" + symbol,
                "{\"bid\":\"0.5\",\"ask\":\"%s\",\"askSize\":\"%s\"}".formatted(ask, size));
    }

    public void quote(String symbol, String bid, String ask) {
        control("PUT", "/_control/quotes/" + symbol, "{\"bid\":\"%s\",\"ask\":\"%s\"}".formatted(bid, ask));
    }

    /** Every submission that reached the venue, in that order. */
    public List<JsonNode> arrivals() {
        return list(control("GET", "/_control/arrivals", "").path("arrivals"));
    }

    /** Every order that the venue accepted. */
    public List<JsonNode> orders() {
        return list(control("GET", "/_control/book", "").path("orders"));
    }

    /** Another application's market order of one AAPL. */
    public void submitForeign(String keyId, String secret, String clientOrderId) {
        submit(keyId, secret, """
                {"client_order_id": "%s", "symbol": "AAPL", "side": "buy", "type": "market", "qty": "1",
                 "time_in_force": "day"}""".formatted(clientOrderId));
    }

    /** Another application's order; returns the venue's answer. */
    public JsonNode submit(String keyId, String secret, String order) {
        return send(request("/v2/orders")
                .header("APCA-API-KEY-ID", keyId)
                .header("APCA-API-SECRET-KEY", secret)
                .POST(BodyPublishers.ofString(order))
                .build());
    }

    /** The venue remembers the first secret of each key that it sees. */
    public void knows(String keyId, String secret) {
        send(request("/v2/account")
                .header("APCA-API-KEY-ID", keyId)
                .header("APCA-API-SECRET-KEY", secret)
                .build());
    }

    /** After this request. */
    public int requestsLeft(String keyId, String secret) {
        try {
            HttpResponse<String> answer = HTTP.send(
                    request("/v2/clock")
                            .header("APCA-API-KEY-ID", keyId)
                            .header("APCA-API-SECRET-KEY", secret)
                            .build(),
                    BodyHandlers.ofString());
            return Integer.parseInt(
                    answer.headers().firstValue("X-Ratelimit-Remaining").orElseThrow());
        } catch (IOException unavailable) {
            throw new UncheckedIOException(unavailable);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private JsonNode control(String method, String path, String body) {
        return send(request(path).method(method, BodyPublishers.ofString(body)).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(uri() + path));
    }

    private static JsonNode send(HttpRequest request) {
        try {
            HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(request + " was answered " + answer.body());
            }
            return Json.read(answer.body(), JsonNode.class);
        } catch (IOException unavailable) {
            throw new UncheckedIOException(unavailable);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> all = new ArrayList<>();
        array.forEach(all::add);
        return all;
    }

    @Override
    public void close() {
        venue.close();
    }
}
