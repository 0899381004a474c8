package dev.berth.acceptance.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
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

        /** An answer that is an error reads as a record without any field. */
        public <T> T as(Class<T> type) {
            return JsonRecords.as(status < 400 ? body : MissingNode.getInstance(), type);
        }

        /**
         * The elements of an array.
         *
         * @throws AssertionError when the answer is no array
         */
        public <T> List<T> list(Class<T> element) {
            return JsonRecords.list(body, element);
        }

        /**
         * The elements of a list that is a field.
         *
         * @throws AssertionError when the answer has no such list
         */
        public <T> List<T> list(String field, Class<T> element) {
            return JsonRecords.list(body.path(field), element);
        }

        public <T> ResultPage<T> page(Class<T> item) {
            return ResultPage.of(this, item);
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
