package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Registers and finds task definitions. Every registration is a new revision, kept forever. */
final class TaskDefinitions {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,255}");
    private static final Pattern REFERENCE = Pattern.compile("([A-Za-z0-9_-]{1,255})(?::([0-9]{1,9}))?");

    private final JsonFiles files;
    private final boolean imagesRun;
    /** By family, then by revision. */
    private final Map<String, NavigableMap<Integer, TaskDefinition>> definitions = new TreeMap<>();

    /** @param imagesRun a task may run the program of its image */
    TaskDefinitions(JsonFiles files, boolean imagesRun) {
        this.files = files;
        this.imagesRun = imagesRun;
        files.readAll(TaskDefinition.class).forEach(this::remember);
    }

    synchronized JsonNode register(ApiRequest request) {
        String family = request.required("family");
        if (!NAME.matcher(family).matches()) {
            throw ApiError.client("Invalid family name.");
        }
        NavigableMap<Integer, TaskDefinition> earlier = revisionsOf(family);
        int revision = earlier.isEmpty() ? 1 : earlier.lastKey() + 1;
        ObjectNode registered = withDefaults((ObjectNode) request.body().deepCopy());
        registered.remove("tags");
        registered
                .put("taskDefinitionArn", Arn.taskDefinition(family, revision))
                .put("revision", revision)
                .put("status", "ACTIVE")
                .put("registeredAt", Instant.now().toEpochMilli() / 1000.0);
        TaskDefinition definition = new TaskDefinition(family, revision, registered, request.array("tags"));
        if (!imagesRun && definition.argv(EcsJson.object()).isEmpty()) {
            throw ApiError.client(
                    "Local ECS without containers ignores images: the container needs an entryPoint or a command.");
        }
        files.write(family + "-" + revision, definition);
        remember(definition);
        return answer(definition, true);
    }

    JsonNode describe(ApiRequest request) {
        TaskDefinition definition = find(request.required("taskDefinition"))
                .orElseThrow(() -> ApiError.client("Unable to describe task definition."));
        return answer(definition, request.texts("include").contains("TAGS"));
    }

    /** All are {@code ACTIVE}. */
    synchronized JsonNode list(ApiRequest request) {
        boolean isActive = request.text("status").orElse("ACTIVE").equals("ACTIVE");
        String family = request.text("familyPrefix").orElse("");
        List<String> arns = definitions.values().stream()
                .flatMap(revisions -> revisions.values().stream())
                .filter(definition -> isActive)
                .filter(definition -> family.isEmpty() || definition.family().equals(family))
                .map(TaskDefinition::arn)
                .toList();
        boolean isDescending = request.text("sort").orElse("ASC").equals("DESC");
        return ArnPage.inOrder("taskDefinitionArns", isDescending ? arns.reversed() : arns, request);
    }

    /** @param reference a family (its newest revision), {@code family:revision} or an ARN */
    synchronized Optional<TaskDefinition> find(String reference) {
        Matcher matcher = REFERENCE.matcher(Arn.shortId(reference));
        if (!matcher.matches() || !definitions.containsKey(matcher.group(1))) {
            return Optional.empty();
        }
        NavigableMap<Integer, TaskDefinition> revisions = revisionsOf(matcher.group(1));
        int revision = matcher.group(2) == null ? revisions.lastKey() : Integer.parseInt(matcher.group(2));
        return Optional.ofNullable(revisions.get(revision));
    }

    private synchronized NavigableMap<Integer, TaskDefinition> revisionsOf(String family) {
        return definitions.getOrDefault(family, new TreeMap<>());
    }

    private synchronized void remember(TaskDefinition definition) {
        definitions
                .computeIfAbsent(definition.family(), family -> new TreeMap<>())
                .put(definition.revision(), definition);
    }

    private static JsonNode answer(TaskDefinition definition, boolean withTags) {
        ObjectNode answer = EcsJson.object();
        answer.set("taskDefinition", definition.registered());
        return answer.set("tags", withTags ? definition.tags() : EcsJson.array());
    }

    private static ObjectNode withDefaults(ObjectNode definition) {
        JsonNode containers = definition.path("containerDefinitions");
        if (containers.size() != 1) {
            throw ApiError.client(
                    "Local ECS runs exactly one container per task; the definition has " + containers.size() + ".");
        }
        if (!(containers.path(0) instanceof ObjectNode container)
                || !container.path("name").isTextual()) {
            throw ApiError.client("Container.name should not be null or empty.");
        }
        if (!container.has("memory") && !container.has("memoryReservation") && !definition.has("memory")) {
            throw ApiError.client("At least one of 'memory' or 'memoryReservation' must be specified.");
        }
        for (JsonNode ulimit : container.path("ulimits")) {
            if (!ulimit.path("name").asText().equals("core")
                    || ulimit.path("softLimit").asInt(-1) != 0
                    || ulimit.path("hardLimit").asInt(-1) != 0) {
                throw ApiError.client("Local ECS supports one ulimit only: core, with both limits 0.");
            }
        }
        container.putIfAbsent("cpu", container.numberNode(0));
        container.putIfAbsent("essential", container.booleanNode(true));
        for (String list : List.of("environment", "portMappings", "mountPoints", "volumesFrom")) {
            container.putIfAbsent(list, EcsJson.array());
        }
        for (String list : List.of("volumes", "placementConstraints", "requiresAttributes")) {
            definition.putIfAbsent(list, EcsJson.array());
        }
        definition.putIfAbsent("compatibilities", EcsJson.array().add("EC2"));
        return definition;
    }
}
