package dev.berth.host;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;

/**
 * The ECS task of this process.
 *
 * @param host the host name
 */
public record TaskIdentity(String taskArn, String host, long pid) {
    private static final int TIMEOUT_MILLIS = 5000;

    public String taskId() {
        return RedisKeys.taskId(taskArn);
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
            return new TaskIdentity(
                    Json.tree(new String(answer.readAllBytes(), StandardCharsets.UTF_8))
                            .required("TaskARN")
                            .asText(),
                    InetAddress.getLocalHost().getHostName(),
                    ProcessHandle.current().pid());
        }
    }
}
