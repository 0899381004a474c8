package dev.berth.local.stack;

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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The ECS calls that start the stack; everything else uses the AWS SDK. */
final class EcsCalls implements AutoCloseable {
    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI endpoint;

    EcsCalls(int port) {
        this.endpoint = URI.create("http://127.0.0.1:" + port + "/");
    }

    /**
     * Makes one call and returns the response.
     *
     * @throws IOException with the response of ECS if it is not 200
     */
    JsonNode call(String action, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(endpoint)
                .header("Content-Type", "application/x-amz-json-1.1")
                .header("X-Amz-Target", "AmazonEC2ContainerServiceV20141113." + action)
                .POST(BodyPublishers.ofString(json.writeValueAsString(body)))
                .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(action + " failed: " + response.body());
        }
        return json.readTree(response.body());
    }

    /** A missing node if ECS does not know the task. */
    JsonNode describe(String task) throws IOException, InterruptedException {
        return call("DescribeTasks", Map.of("cluster", "berth", "tasks", List.of(task)))
                .path("tasks")
                .path(0);
    }

    static boolean isStopped(JsonNode described) {
        return described.path("lastStatus").asText().equals("STOPPED");
    }

    /**
     * Waits for the end of a task and describes it.
     *
     * @throws IOException if the task does not end in time
     */
    JsonNode awaitStopped(String task, Duration limit) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(limit);
        while (Instant.now().isBefore(deadline)) {
            JsonNode described = describe(task);
            if (isStopped(described)) {
                return described;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IOException("task " + task + " did not end within " + limit);
    }

    @Override
    public void close() {
        http.close();
    }
}
