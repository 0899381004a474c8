package dev.berth.local.venue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One account's plain HTTP view of a venue. */
final class VenueClient {

    static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    record VenueResponse(int status, JsonNode body) {
        String text(String field) {
            return body.path(field).asText();
        }
    }

    private final PaperVenue venue;
    private final String keyId;
    private final String secret;

    VenueClient(PaperVenue venue, String keyId) {
        this(venue, keyId, "paper-" + keyId);
    }

    VenueClient(PaperVenue venue, String keyId, String secret) {
        this.venue = venue;
        this.keyId = keyId;
        this.secret = secret;
    }

    /** Fields of an order: name, value, name, value; on top of one share of AAPL for the day. */
    VenueResponse submit(String clientOrderId, String... fields) throws IOException, InterruptedException {
        return send("POST", "/v2/orders", orderJson(clientOrderId, fields));
    }

    CompletableFuture<VenueResponse> submitAsync(String clientOrderId, String... fields) {
        var request = request("POST", "/v2/orders", orderJson(clientOrderId, fields))
                .timeout(Duration.ofSeconds(20))
                .build();
        return HTTP.sendAsync(request, BodyHandlers.ofString()).thenApply(VenueClient::answer);
    }

    private static String orderJson(String clientOrderId, String... fields) {
        var json = JSON.createObjectNode();
        json.put("client_order_id", clientOrderId);
        json.put("symbol", "AAPL").put("qty", "1").put("side", "buy");
        json.put("type", "market").put("time_in_force", "day");
        for (int i = 0; i < fields.length; i += 2) {
            json.put(fields[i], fields[i + 1]);
        }
        return json.toString();
    }

    VenueResponse get(String path) throws IOException, InterruptedException {
        return send("GET", path, "");
    }

    VenueResponse patch(String orderId, String body) throws IOException, InterruptedException {
        return send("PATCH", "/v2/orders/" + orderId, body);
    }

    VenueResponse delete(String path) throws IOException, InterruptedException {
        return send("DELETE", path, "");
    }

    VenueResponse post(String path, String body) throws IOException, InterruptedException {
        return send("POST", path, body);
    }

    VenueResponse put(String path, String body) throws IOException, InterruptedException {
        return send("PUT", path, body);
    }

    void quote(String symbol, String body) throws IOException, InterruptedException {
        var answer = put("/_control/quotes/" + symbol, body);
        if (answer.status != 200) {
            throw new IllegalStateException(answer.toString());
        }
    }

    /** Every accepted order of every account. */
    List<JsonNode> book() throws IOException, InterruptedException {
        return list(get("/_control/book").body().path("orders"));
    }

    List<JsonNode> arrivals() throws IOException, InterruptedException {
        return list(get("/_control/arrivals").body().path("arrivals"));
    }

    private static List<JsonNode> list(JsonNode array) {
        var all = new ArrayList<JsonNode>();
        array.forEach(all::add);
        return all;
    }

    VenueResponse send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        var request = request(method, path, body).timeout(Duration.ofSeconds(20));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return answer(HTTP.send(request.build(), BodyHandlers.ofString()));
    }

    private HttpRequest.Builder request(String method, String path, String body) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + venue.port() + path))
                .header("APCA-API-KEY-ID", keyId)
                .header("APCA-API-SECRET-KEY", secret)
                .method(method, BodyPublishers.ofString(body));
    }

    private static VenueResponse answer(HttpResponse<String> response) {
        try {
            return new VenueResponse(response.statusCode(), JSON.readTree(response.body()));
        } catch (IOException e) {
            throw new IllegalStateException(response.body(), e);
        }
    }
}
