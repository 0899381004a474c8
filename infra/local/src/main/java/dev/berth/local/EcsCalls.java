package dev.berth.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** The few ECS calls that bring the stack up; everything else uses the AWS SDK. */
final class EcsCalls implements AutoCloseable {
    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI endpoint;

    EcsCalls(int port) {
        this.endpoint = URI.create("http://127.0.0.1:" + port + "/");
    }

    /**
     * Makes one call.
     *
     * @throws IOException with ECS's own words when it refuses
     */
    JsonNode call(String action, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(endpoint)
                .header("Content-Type", "application/x-amz-json-1.1")
                .header("X-Amz-Target", "AmazonEC2ContainerServiceV20141113." + action)
                .POST(BodyPublishers.ofString(json.writeValueAsString(body)))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(action + " was refused: " + answer.body());
        }
        return json.readTree(answer.body());
    }

    @Override
    public void close() {
        http.close();
    }
}
