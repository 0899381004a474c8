package dev.berth.acceptance.stack;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.rest.JsonRecords;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the local SQS.
 *
 * @param sqs the server
 * @param name {@code pool-claim} or {@code task-events}
 */
public record SqsQueue(URI sqs, String name) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private record Messages(
            @JsonProperty("Messages") @Nullable List<Message> messages) {}

    private record Message(@JsonProperty("Body") String body) {}

    private record QueueAttributes(
            @JsonProperty("Attributes") Counts counts) {}

    private record Counts(
            @JsonProperty("ApproximateNumberOfMessages") int visible,

            @JsonProperty("ApproximateNumberOfMessagesNotVisible")
            int hidden) {
        int waiting() {
            return visible + hidden;
        }
    }

    public static SqsQueue of(Stack stack, String name) {
        return new SqsQueue(URI.create("http://127.0.0.1:" + stack.port("SQS", 19324)), name);
    }

    public void send(String body) throws IOException, InterruptedException {
        call("SendMessage", Map.of("MessageBody", body));
    }

    /**
     * Receives up to ten messages and waits a second for the first. SQS delivers them again later.
     *
     * @param hiddenSeconds the time until the next delivery
     * @return their bodies
     */
    public List<String> receive(int hiddenSeconds) throws IOException, InterruptedException {
        Messages received = JsonRecords.as(
                call(
                        "ReceiveMessage",
                        Map.of("MaxNumberOfMessages", 10, "VisibilityTimeout", hiddenSeconds, "WaitTimeSeconds", 1)),
                Messages.class);
        return received.messages() == null
                ? List.of()
                : received.messages().stream().map(Message::body).toList();
    }

    /** The number of messages not yet deleted, whether read or not. */
    public int waiting() throws IOException, InterruptedException {
        return JsonRecords.as(
                        call("GetQueueAttributes", Map.of("AttributeNames", List.of("All"))), QueueAttributes.class)
                .counts()
                .waiting();
    }

    private JsonNode call(String action, Map<String, ?> arguments) throws IOException, InterruptedException {
        Map<String, Object> body = new HashMap<>(arguments);
        body.put("QueueUrl", sqs + "/000000000000/" + name);
        HttpRequest request = HttpRequest.newBuilder(sqs)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "AmazonSQS." + action)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("SQS answers " + answer.statusCode() + " to " + action + ": " + answer.body());
        }
        return JSON.readTree(answer.body().isBlank() ? "{}" : answer.body());
    }
}
