package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An unpacked image.
 *
 * @param root its file system, which all containers share
 * @param settings {@code config} of the OCI image
 */
record ContainerImage(Path root, JsonNode settings) {

    /**
     * Reads {@code rootfs} and {@code image.json} (as {@code buildah inspect} prints it) in the
     * image's folder; {@code berth-worker} lies in {@code worker}.
     *
     * @throws IOException with ECS's message if there is no such image
     */
    static ContainerImage find(Path images, String name) throws IOException {
        Path folder = images.resolve(name.replaceFirst("^berth-", ""));
        if (!Files.isDirectory(folder.resolve("rootfs"))) {
            throw new IOException("CannotPullContainerError: no image " + name + " in " + images);
        }
        JsonNode image = EcsJson.MAPPER.readTree(folder.resolve("image.json").toFile());
        return new ContainerImage(folder.resolve("rootfs"), image.path("OCIv1").path("config"));
    }

    /** The program and its arguments. */
    List<String> argv(TaskPlan plan) {
        List<String> argv = new ArrayList<>();
        if (!plan.container().hasEntryPoint()) {
            settings.path("Entrypoint").forEach(word -> argv.add(word.asText()));
        }
        argv.addAll(plan.argv());
        if (plan.argv().isEmpty()) {
            settings.path("Cmd").forEach(word -> argv.add(word.asText()));
        }
        return argv;
    }

    Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>(Map.of("HOME", "/tmp"));
        settings.path("Env").forEach(variable -> {
            String[] parts = variable.asText().split("=", 2);
            environment.put(parts[0], parts[1]);
        });
        return environment;
    }

    /** The first of one or two numbers in {@code User}; without {@code User}, root as in Docker. */
    int uid() {
        return Integer.parseInt(settings.path("User").asText("0").replaceFirst(":.*", ""));
    }

    String workingDirectory(TaskPlan plan) {
        return plan.workingDirectory().isEmpty() ? settings.path("WorkingDir").asText("/") : plan.workingDirectory();
    }
}
