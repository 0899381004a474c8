package dev.berth.local.stack;

import dev.berth.workflows.deployment.WorkerSize;
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
                WorkerSize.CPU_UNITS,
                "memoryReservation",
                WorkerSize.SOFT_MEBIBYTES,
                "memory",
                WorkerSize.HARD_MEBIBYTES,
                "stopTimeout",
                WorkerSize.STOP_SECONDS,
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
