package dev.berth.local;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The ECS task definition of a worker on this machine: the same sizes as in the cloud, a JVM in place of an image.
 *
 * @param command the JVM with its flags and the main class
 * @param environment what every worker is told
 */
record WorkerTaskDefinition(List<String> command, Map<String, String> environment) {
    private static final int CPU_UNITS = 64;
    private static final int SOFT_MEBIBYTES = 384;
    private static final int HARD_MEBIBYTES = 1024;
    /** Planned stops close the session first, so SIGTERM finds nothing to wait for. */
    private static final int STOP_SECONDS = 2;

    /** Registers a new revision of the family. */
    void register(EcsCalls ecs, String family) throws IOException, InterruptedException {
        Map<String, Object> container = Map.of(
                "name", "worker",
                "image", "berth-worker",
                "essential", true,
                "cpu", CPU_UNITS,
                "memoryReservation", SOFT_MEBIBYTES,
                "memory", HARD_MEBIBYTES,
                "stopTimeout", STOP_SECONDS,
                "command", command,
                "environment",
                        environment.entrySet().stream()
                                .map(variable -> Map.of("name", variable.getKey(), "value", variable.getValue()))
                                .toList());
        ecs.call(
                "RegisterTaskDefinition",
                Map.of("family", family, "networkMode", "bridge", "containerDefinitions", List.of(container)));
    }
}
