package dev.berth.acceptance.bench;

import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A worker process of this stack, read from /proc.
 *
 * @param metadata the metadata address of its task; ends with the task id
 * @param pool whether it was started for the pool, claimed or not
 */
public record HostProcess(ProcessHandle process, String metadata, boolean pool) {
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final String METADATA = "ECS_CONTAINER_METADATA_URI_V4=";

    /** All live worker processes of the stack. */
    public static List<HostProcess> of(Stack stack) {
        String ours = "BERTH_GATEWAY_TARGET=127.0.0.1:" + stack.port("GATEWAY", 17233);
        return ProcessHandle.allProcesses()
                .flatMap(process -> read(process, ours).stream())
                .toList();
    }

    private static Optional<HostProcess> read(ProcessHandle process, String ours) {
        try {
            Path environ = Path.of("/proc", Long.toString(process.pid()), "environ");
            List<String> environment = List.of(
                    Files.readString(environ, StandardCharsets.ISO_8859_1).split("\0"));
            return environment.contains(ours)
                    ? environment.stream()
                            .filter(variable -> variable.startsWith(METADATA))
                            .map(variable ->
                                    new HostProcess(process, variable, environment.contains("BERTH_USER_ID=-1")))
                            .findFirst()
                    : Optional.empty();
        } catch (IOException goneOrUnreadable) {
            return Optional.empty();
        }
    }

    public long pid() {
        return process.pid();
    }

    boolean isOfTask(String taskId) {
        return metadata.contains(taskId);
    }

    boolean isWarm() {
        return process.info()
                .startInstant()
                .orElse(Instant.MAX)
                .isBefore(Instant.now().minus(WARM_UP));
    }
}
