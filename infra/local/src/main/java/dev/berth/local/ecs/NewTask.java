package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.local.ecs.TaskPlan.Token;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one call of RunTask asks for, checked, before it has a host.
 *
 * @param containerOverride empty when there is none
 */
record NewTask(
        ApiRequest request,
        TaskDefinition definition,
        JsonNode containerOverride,
        @Nullable Token token) {

    static NewTask of(ApiRequest request, TaskDefinition definition, @Nullable Token token) {
        refuseWhatIsNotPlayed(request);
        JsonNode override = Json.object();
        for (JsonNode candidate : request.body().path("overrides").path("containerOverrides")) {
            String name = candidate.path("name").asText();
            if (!name.equals(definition.containerName())) {
                throw ApiError.invalidParameter(
                        "Override for container named " + name + " is not a container in the TaskDefinition.");
            }
            override = candidate;
        }
        return new NewTask(request, definition, override, token);
    }

    TaskSize size() {
        return TaskSize.of(definition, containerOverride, request.body().path("overrides"));
    }

    TaskPlan on(Host host, Instant now) {
        JsonNode container = definition.container();
        return new TaskPlan(
                UUID.randomUUID().toString().replace("-", ""),
                host.id(),
                definition.arn(),
                definition.family(),
                definition.revision(),
                definition.containerName(),
                container.path("image").asText(""),
                size(),
                definition.argv(containerOverride),
                definition.environment(containerOverride),
                container.path("workingDirectory").asText(""),
                definition.stopTimeoutSeconds(),
                request.text("group").orElse("family:" + definition.family()),
                request.text("startedBy").orElse(null),
                request.array("capacityProviderStrategy")
                        .path(0)
                        .path("capacityProvider")
                        .asText(null),
                overrides(),
                request.array("tags"),
                token,
                now);
    }

    /** ECS answers the list even when no override was sent. */
    private JsonNode overrides() {
        ObjectNode overrides =
                request.body().path("overrides") instanceof ObjectNode sent ? sent.deepCopy() : Json.object();
        overrides.putIfAbsent("containerOverrides", Json.array());
        overrides.putIfAbsent("inferenceAcceleratorOverrides", Json.array());
        return overrides;
    }

    private static void refuseWhatIsNotPlayed(ApiRequest request) {
        if (!request.text("launchType").orElse("EC2").equals("EC2")) {
            throw ApiError.invalidParameter("Local ECS knows the launch type EC2 only.");
        }
        for (JsonNode strategy : request.array("placementStrategy")) {
            if (!strategy.path("type").asText().equals("binpack")
                    || !strategy.path("field").asText().equalsIgnoreCase("memory")) {
                throw ApiError.invalidParameter("Local ECS places by binpack(memory) only.");
            }
        }
        if (!request.array("placementConstraints").isEmpty()) {
            throw ApiError.invalidParameter("Local ECS knows no placement constraints.");
        }
        if (request.text("startedBy").orElse("").length() > 128) {
            throw ApiError.invalidParameter("startedBy can have at most 128 characters.");
        }
    }
}
