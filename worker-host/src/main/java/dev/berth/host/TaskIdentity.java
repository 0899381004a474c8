package dev.berth.host;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.workflows.RedisKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLConnection;

/**
 * Which ECS task this process runs in.
 *
 * @param host the machine's name
 */
public record TaskIdentity(String taskArn, String host, long pid) {
    private static final int PATIENCE_MILLIS = 5000;

    public String taskId() {
        return RedisKeys.taskId(taskArn);
    }

    /**
     * Asks the task metadata endpoint v4, by the lightest client that the JDK has: the process begins with this.
     *
     * @throws IOException when it does not answer; the process can not serve without knowing its task
     */
    static TaskIdentity ask(URI metadata) throws IOException {
        URLConnection endpoint = URI.create(metadata + "/task").toURL().openConnection();
        endpoint.setConnectTimeout(PATIENCE_MILLIS);
        endpoint.setReadTimeout(PATIENCE_MILLIS);
        try (InputStream answer = endpoint.getInputStream()) {
            return new TaskIdentity(
                    new ObjectMapper().readTree(answer).required("TaskARN").asText(),
                    InetAddress.getLocalHost().getHostName(),
                    ProcessHandle.current().pid());
        }
    }
}
