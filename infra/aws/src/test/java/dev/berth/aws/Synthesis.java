package dev.berth.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The templates, synthesized once for all tests. */
final class Synthesis {
    static final List<String> STACKS = List.of("network", "data", "cluster", "services", "observability");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FOLDER = Path.of("target", "cdk.out");
    private static final Path SELF_HOSTED_FOLDER = Path.of("target", "cdk-self-hosted.out");

    /** No registry knows them. */
    static final List<String> IMAGES = List.of(
            "postgres-client-image=postgres@sha256:" + "17".repeat(32),
            "temporal-image=temporalio/server@sha256:" + "32".repeat(32),
            "temporal-tools-image=temporalio/admin-tools@sha256:" + "33".repeat(32));

    static final Synthesis STANDARD = of(FOLDER);
    static final Synthesis SELF_HOSTED = of(SELF_HOSTED_FOLDER, "temporal=self-hosted", "groups=gold,free");

    private final Path folder;

    private Synthesis(Path folder) {
        this.folder = folder;
    }

    private static Synthesis of(Path folder, String... changes) {
        BerthCloud.synth(
                Sizes.of(Stream.concat(IMAGES.stream(), Stream.of(changes)).toList()), folder);
        return new Synthesis(folder);
    }

    Path folder() {
        return folder;
    }

    Path file(String stack) {
        return folder.resolve("berth-" + stack + ".template.json");
    }

    JsonNode template(String stack) {
        try {
            return JSON.readTree(Files.readString(file(stack)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The resources of this type in all stacks. */
    Stream<JsonNode> resources(String type) {
        return STACKS.stream()
                .map(this::template)
                .flatMap(template ->
                        StreamSupport.stream(template.path("Resources").spliterator(), false))
                .filter(resource -> resource.path("Type").asText().equals(type));
    }

    /** Properties of the only one of this type with this value. */
    JsonNode only(String type, String property, String value) {
        return resources(type)
                .map(resource -> resource.path("Properties"))
                .filter(properties -> properties.at(property).asText().equals(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + type + " with " + property + " = " + value));
    }

    /** The container of a task definition, by its family. */
    JsonNode container(String family) {
        return only("AWS::ECS::TaskDefinition", "/Family", family)
                .path("ContainerDefinitions")
                .path(0);
    }
}
