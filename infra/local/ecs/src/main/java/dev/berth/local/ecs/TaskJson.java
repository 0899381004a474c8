package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A task as the API and the events show it; they differ in how they write a time. */
record TaskJson(Function<Instant, JsonNode> time) {
    /** Seconds since 1970 with a fraction. */
    static final TaskJson API = new TaskJson(time -> DoubleNode.valueOf(time.toEpochMilli() / 1000.0));

    /** ISO 8601, UTC. */
    static final TaskJson EVENT = new TaskJson(time -> TextNode.valueOf(time.toString()));

    ObjectNode render(Task task) {
        TaskPlan plan = task.plan();
        ObjectNode json = EcsJson.object()
                .put("taskArn", plan.arn())
                .put("clusterArn", Arn.cluster(plan.cluster()))
                .put("containerInstanceArn", plan.containerInstanceArn())
                .put("taskDefinitionArn", plan.taskDefinitionArn())
                .put("group", plan.group())
                .put("lastStatus", task.lastStatus().name())
                .put("desiredStatus", task.desiredStatus().name())
                .put("cpu", Integer.toString(plan.size().cpuUnits()))
                .put("memory", Integer.toString(plan.size().reservedMebibytes()))
                .put("version", task.version())
                .put("availabilityZone", Arn.REGION + "a")
                .put("connectivity", "CONNECTED")
                .put("healthStatus", "UNKNOWN")
                .put("enableExecuteCommand", false);
        putIfKnown(json, "startedBy", plan.startedBy());
        if (plan.capacityProvider() == null) {
            json.put("launchType", "EC2");
        } else {
            json.put("capacityProviderName", plan.capacityProvider());
        }
        json.set("createdAt", time.apply(plan.createdAt()));
        json.set("containers", EcsJson.array().add(container(task)));
        json.set("overrides", plan.overrides());
        json.set("attachments", EcsJson.array());
        json.set("attributes", EcsJson.array());
        putProgress(json, task);
        return json;
    }

    private void putProgress(ObjectNode json, Task task) {
        if (task.pull() != null) {
            json.set("connectivityAt", time.apply(task.pull().startedAt()));
            json.set("pullStartedAt", time.apply(task.pull().startedAt()));
            json.set("pullStoppedAt", time.apply(task.pull().startedAt()));
        }
        if (task.launch() != null) {
            json.set("startedAt", time.apply(task.launch().startedAt()));
        }
        if (task.stop() != null) {
            json.set("stoppingAt", time.apply(task.stop().requestedAt()));
            json.put("stopCode", task.stop().code().name());
            json.put("stoppedReason", task.stop().reason());
        }
        if (task.end() != null) {
            json.set("stoppedAt", time.apply(task.end().stoppedAt()));
            if (task.end().reported()) {
                json.set("executionStoppedAt", time.apply(task.end().stoppedAt()));
            }
        }
    }

    private static ObjectNode container(Task task) {
        TaskPlan plan = task.plan();
        ObjectNode json = EcsJson.object()
                .put("containerArn", plan.containerArn())
                .put("taskArn", plan.arn())
                .put("name", plan.containerName())
                .put("image", plan.image())
                .put("runtimeId", plan.containerId())
                .put("lastStatus", containerStatus(task))
                .put("cpu", Integer.toString(plan.size().cpuUnits()))
                .put("memoryReservation", Integer.toString(plan.size().reservedMebibytes()))
                .put("healthStatus", "UNKNOWN");
        if (plan.size().hardMebibytes() > 0) {
            json.put("memory", Integer.toString(plan.size().hardMebibytes()));
        }
        json.set("networkInterfaces", EcsJson.array());
        if (task.end() != null) {
            putIfKnown(json, "reason", task.end().containerReason());
            if (task.end().exitCode() != null) {
                json.put("exitCode", task.end().exitCode());
            }
        }
        return json;
    }

    /** A container knows fewer states than a task. */
    private static String containerStatus(Task task) {
        if (task.end() != null) {
            return "STOPPED";
        }
        return task.launch() != null ? "RUNNING" : "PENDING";
    }

    private static void putIfKnown(ObjectNode json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }
}
