package dev.berth.local.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ECS task definition of a worker on this machine, with the sizes of the cloud.
 *
 * @param entryPoint the JVM with its flags and the main class; empty: that of the image
 * @param environment the variables of every worker
 */
record WorkerTaskDefinition(List<String> entryPoint, Map<String, String> environment) {
    private static final int CPU_UNITS = 64;
    private static final int SOFT_MEBIBYTES = 384;
    private static final int HARD_MEBIBYTES = 1024;
    /** Planned stops close the session before SIGTERM, so a worker ends at once. */
    private static final int STOP_SECONDS = 2;
    /** A dump of the memory would hold the user's credentials. */
    private static final Map<String, Object> NO_CORE_DUMPS = Map.of("name", "core", "softLimit", 0, "hardLimit", 0);

    /** Registers a new revision of the family. */
    void register(EcsCalls ecs, String family) throws IOException, InterruptedException {
        ecs.call(
                "RegisterTaskDefinition",
                Map.of("family", family, "networkMode", "bridge", "containerDefinitions", List.of(container())));
    }

    /**
     * Registers a revision that writes its class archive: with this machine's network, whose
     * servers know the training, and the folder as {@code /archive} if it is a container.
     */
    void registerTraining(EcsCalls ecs, String family, Path archives) throws IOException, InterruptedException {
        Map<String, Object> container = new HashMap<>(container());
        container.put("mountPoints", List.of(Map.of("sourceVolume", "archive", "containerPath", "/archive")));
        Object volume = Map.of("name", "archive", "host", Map.of("sourcePath", archives.toString()));
        ecs.call(
                "RegisterTaskDefinition",
                Map.of(
                        "family",
                        family,
                        "networkMode",
                        "host",
                        "volumes",
                        List.of(volume),
                        "containerDefinitions",
                        List.of(container)));
    }

    private Map<String, Object> container() {
        Map<String, Object> container = new HashMap<>(Map.of(
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
                "environment",
                environment.entrySet().stream()
                        .map(variable -> Map.of("name", variable.getKey(), "value", variable.getValue()))
                        .toList()));
        if (!entryPoint.isEmpty()) {
            container.put("entryPoint", entryPoint);
        }
        return container;
    }
}
