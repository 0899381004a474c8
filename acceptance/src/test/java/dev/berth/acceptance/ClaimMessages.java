package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.Map;

/** The queue of claims, as any client of SQS's JSON protocol sees it. */
record ClaimMessages(URI sqs) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static ClaimMessages of(Stack stack) {
        return new ClaimMessages(URI.create("http://127.0.0.1:" + stack.port("SQS", 19324)));
    }

    /** Sends a claim as the orchestrator does. */
    void send(Trader trader, long epoch, String reservedTask) throws IOException, InterruptedException {
        String claim = JSON.writeValueAsString(Map.of(
                "userId",
                trader.user(),
                "epoch",
                epoch,
                "reservedTask",
                reservedTask,
                "sentAt",
                Instant.now().toString()));
        call("SendMessage", Map.of("QueueUrl", url(), "MessageBody", claim));
    }

    /** Those that nobody has read, and those that somebody read and has not deleted. */
    int waiting() throws IOException, InterruptedException {
        JsonNode counts = call("GetQueueAttributes", Map.of("QueueUrl", url(), "AttributeNames", new String[] {"All"}))
                .path("Attributes");
        return counts.path("ApproximateNumberOfMessages").asInt()
                + counts.path("ApproximateNumberOfMessagesNotVisible").asInt();
    }

    void purge() throws IOException, InterruptedException {
        call("PurgeQueue", Map.of("QueueUrl", url()));
    }

    private String url() {
        return sqs + "/000000000000/pool-claim";
    }

    private JsonNode call(String action, Map<String, Object> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(sqs)
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "AmazonSQS." + action)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as("%s: %s", action, answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body().isBlank() ? "{}" : answer.body());
    }
}
