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
                WorkerSize.CPU_UNITS,
                "memoryReservation",
                WorkerSize.SOFT_MEBIBYTES,
                "memory",
                WorkerSize.HARD_MEBIBYTES,
                "stopTimeout",
                WorkerSize.STOP_SECONDS,
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
