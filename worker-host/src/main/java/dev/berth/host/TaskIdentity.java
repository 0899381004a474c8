package dev.berth.host;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.Json;
import dev.berth.workflows.worker.TaskArns;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLConnection;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * The ECS task of this process.
 *
 * @param host the host name
 * @param pid of this process on its host, where known; else as this process sees it
 */
public record TaskIdentity(String taskArn, String host, long pid) {
    private static final int TIMEOUT_MILLIS = 5000;
    /**
     * The label with the process id on the host. The local ECS sets the label, since its containers
     * see their process as 1; Amazon's ECS has no such label.
     */
    private static final String PID_LABEL = "dev.berth.pid";

    public String taskId() {
        return TaskArns.id(taskArn);
    }

    /**
     * Reads the task metadata endpoint v4, with the JDK's lightest client: every start waits for
     * it.
     *
     * @throws IOException when the endpoint does not answer
     */
    static TaskIdentity read(URI metadata) throws IOException {
        URLConnection connection = URI.create(metadata + "/task").toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        try (InputStream answer = connection.getInputStream()) {
            JsonNode task = Json.tree(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
            JsonNode labels = task.path("Containers").path(0).path("Labels");
            return new TaskIdentity(
                    task.required("TaskARN").asText(),
                    hostName(),
                    labels.path(PID_LABEL).asLong(ProcessHandle.current().pid()));
        }
    }

    /** What operators see; a machine whose own name does not resolve runs workers all the same. */
    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unresolved) {
            return "localhost";
        }
    }
}
