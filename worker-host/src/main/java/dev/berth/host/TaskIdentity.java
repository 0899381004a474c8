package dev.berth.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.workflows.RedisKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Which ECS task this process runs in.
 *
 * @param host the machine's name
 */
public record TaskIdentity(String taskArn, String host, long pid) {

    public String taskId() {
        return RedisKeys.taskId(taskArn);
    }

    /**
     * Asks the task metadata endpoint v4.
     *
     * @throws IOException when it does not answer; the process can not serve without knowing its task
     */
    static TaskIdentity ask(HttpClient http, URI metadata) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(metadata + "/task"))
                .timeout(Duration.ofSeconds(5))
                .build();
        JsonNode task = new ObjectMapper()
                .readTree(http.send(request, BodyHandlers.ofString()).body());
        return new TaskIdentity(
                task.required("TaskARN").asText(),
                InetAddress.getLocalHost().getHostName(),
                ProcessHandle.current().pid());
    }
}
