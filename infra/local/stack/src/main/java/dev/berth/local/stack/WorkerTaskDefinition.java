package dev.berth.local.stack;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The ECS task definition of a worker on this machine: the sizes of the cloud, a JVM instead of an
 * image.
 *
 * @param command the JVM with its flags and the main class
 * @param environment the variables of every worker
 */
record WorkerTaskDefinition(List<String> command, Map<String, String> environment) {
    private static final int CPU_UNITS = 64;
    private static final int SOFT_MEBIBYTES = 384;
    private static final int HARD_MEBIBYTES = 1024;
    /** Planned stops close the session before SIGTERM, so a worker ends at once. */
    private static final int STOP_SECONDS = 2;
    /** A dump of the memory would hold the user's credentials. */
    private static final Map<String, Object> NO_CORE_DUMPS = Map.of("name", "core", "softLimit", 0, "hardLimit", 0);

    /** Registers a new revision of the family. */
    void register(EcsCalls ecs, String family) throws IOException, InterruptedException {
        Map<String, Object> container = Map.of(
                "name",
                "worker",
                "image",
                "berth-worker",
                "essential",
                true,
                "cpu",
                CPU_UNITS,
                "memoryReservation",
                SOFT_MEBIBYTES,
                "memory",
                HARD_MEBIBYTES,
                "stopTimeout",
                STOP_SECONDS,
                "ulimits",
                List.of(NO_CORE_DUMPS),
                "command",
                command,
                "environment",
                environment.entrySet().stream()
                        .map(variable -> Map.of("name", variable.getKey(), "value", variable.getValue()))
                        .toList());
        ecs.call(
                "RegisterTaskDefinition",
                Map.of("family", family, "networkMode", "bridge", "containerDefinitions", List.of(container)));
    }
}
