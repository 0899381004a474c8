package dev.berth.acceptance.rest;

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
import org.jspecify.annotations.Nullable;

/** A client for JSON over HTTP. */
public final class RestClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI base;

    public RestClient(URI base) {
        this.base = base;
    }

    public URI base() {
        return base;
    }

    /** A response; a body that is no JSON reads as missing. */
    public record JsonResponse(int status, JsonNode body, HttpResponse<String> raw) {
        public String text(String field) {
            return body.path(field).asText("");
        }
    }

    /**
     * Sends a request.
     *
     * @param body sent unchanged; null for none
     * @param headers alternating names and values
     */
    public JsonResponse call(String method, String path, @Nullable String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        return new JsonResponse(answer.statusCode(), read(answer.body()), answer);
    }

    private JsonNode read(String body) {
        try {
            return json.readTree(body.isBlank() ? "null" : body);
        } catch (IOException noJson) {
            return json.missingNode();
        }
    }
}
