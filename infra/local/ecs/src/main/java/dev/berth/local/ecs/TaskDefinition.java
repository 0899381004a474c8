package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One revision of a task definition.
 *
 * @param revision 1 or more
 * @param registered the request with the defaults of ECS, as responses contain it; do not modify
 * @param tags responses contain them beside the definition, not in it
 */
record TaskDefinition(String family, int revision, ObjectNode registered, JsonNode tags) {
    String arn() {
        return Arn.taskDefinition(family, revision);
    }

    /** The only container. */
    JsonNode container() {
        return registered.path("containerDefinitions").path(0);
    }

    String containerName() {
        return container().path("name").asText();
    }

    /**
     * The program and its arguments; the override replaces the command and keeps the entry point,
     * as in Docker.
     */
    List<String> argv(JsonNode containerOverride) {
        JsonNode command = containerOverride.path("command");
        List<String> argv = new ArrayList<>();
        container().path("entryPoint").forEach(word -> argv.add(word.asText()));
        (command.isEmpty() ? container().path("command") : command).forEach(word -> argv.add(word.asText()));
        return argv;
    }

    Map<String, String> environment(JsonNode containerOverride) {
        Map<String, String> environment = new TreeMap<>();
        for (JsonNode source : List.of(container(), containerOverride)) {
            source.path("environment")
                    .forEach(pair -> environment.put(
                            pair.path("name").asText(), pair.path("value").asText()));
        }
        return environment;
    }

    /** Seconds between SIGTERM and SIGKILL. */
    int stopTimeoutSeconds() {
        return container().path("stopTimeout").asInt(30);
    }

    /** False with the ulimit {@code core}, the only one that local ECS knows, and only as 0. */
    boolean dumpsCore() {
        return container().path("ulimits").isEmpty();
    }
}
