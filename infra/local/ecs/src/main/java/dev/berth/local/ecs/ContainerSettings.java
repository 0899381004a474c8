package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a task definition that only containers follow; processes ignore it.
 *
 * @param networkMode {@code host} shares this machine's network; any other has a network of its own
 * @param hasEntryPoint the definition has an entry point, which replaces that of the image
 */
record ContainerSettings(String networkMode, boolean hasEntryPoint, List<Mount> mounts) {
    static final ContainerSettings NONE = new ContainerSettings("bridge", false, List.of());

    /** A folder of this machine in the container. */
    record Mount(String source, String path, boolean readOnly) {}

    static ContainerSettings of(TaskDefinition definition) {
        JsonNode container = definition.container();
        List<Mount> mounts = new ArrayList<>();
        for (JsonNode mount : container.path("mountPoints")) {
            for (JsonNode volume : definition.registered().path("volumes")) {
                if (volume.path("name").equals(mount.path("sourceVolume"))) {
                    mounts.add(new Mount(
                            volume.path("host").path("sourcePath").asText(),
                            mount.path("containerPath").asText(),
                            mount.path("readOnly").asBoolean()));
                }
            }
        }
        String network = definition.registered().path("networkMode").asText("bridge");
        return new ContainerSettings(network, !container.path("entryPoint").isEmpty(), List.copyOf(mounts));
    }

    boolean usesHostNetwork() {
        return networkMode.equals("host");
    }
}
