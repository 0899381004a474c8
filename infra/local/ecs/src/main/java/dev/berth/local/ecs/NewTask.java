package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.local.ecs.TaskPlan.Token;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A validated RunTask request before its placement.
 *
 * @param containerOverride empty if absent
 */
record NewTask(
        ApiRequest request,
        TaskDefinition definition,
        JsonNode containerOverride,
        @Nullable Token token) {

    static NewTask of(ApiRequest request, TaskDefinition definition, @Nullable Token token) {
        refuseUnsupportedParameters(request);
        JsonNode override = EcsJson.object();
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

    TaskPlan on(LocalHost host, Instant now) {
        JsonNode container = definition.container();
        return new TaskPlan(
                host.cluster(),
                UUID.randomUUID().toString().replace("-", ""),
                host.id(),
                definition.arn(),
                definition.family(),
                definition.revision(),
                definition.containerName(),
                container.path("image").asText(""),
                ContainerSettings.of(definition),
                size(),
                definition.argv(containerOverride),
                definition.environment(containerOverride),
                container.path("workingDirectory").asText(""),
                definition.stopTimeoutSeconds(),
                definition.dumpsCore(),
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

    /** ECS returns the list even without overrides. */
    private JsonNode overrides() {
        ObjectNode overrides =
                request.body().path("overrides") instanceof ObjectNode sent ? sent.deepCopy() : EcsJson.object();
        overrides.putIfAbsent("containerOverrides", EcsJson.array());
        overrides.putIfAbsent("inferenceAcceleratorOverrides", EcsJson.array());
        return overrides;
    }

    private static void refuseUnsupportedParameters(ApiRequest request) {
        if (!request.text("launchType").orElse("EC2").equals("EC2")) {
            throw ApiError.invalidParameter("Local ECS supports the launch type EC2 only.");
        }
        for (JsonNode strategy : request.array("placementStrategy")) {
            if (!strategy.path("type").asText().equals("binpack")
                    || !strategy.path("field").asText().equalsIgnoreCase("memory")) {
                throw ApiError.invalidParameter("Local ECS supports the placement strategy binpack(memory) only.");
            }
        }
        if (!request.array("placementConstraints").isEmpty()) {
            throw ApiError.invalidParameter("Local ECS does not support placement constraints.");
        }
        if (request.text("startedBy").orElse("").length() > 128) {
            throw ApiError.invalidParameter("startedBy can have at most 128 characters.");
        }
    }
}
