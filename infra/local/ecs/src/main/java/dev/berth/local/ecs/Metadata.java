package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Optional;

/** The task metadata endpoint, version 4. */
record Metadata(TaskLedger ledger, PidFiles pids) {
    /** Not of ECS: the process of a container sees another id. */
    private static final String PID_LABEL = "dev.berth.pid";

    void addTo(RoutesConfig routes) {
        routes.get("/v4/{id}", context -> answer(context, task(id(context)).map(this::container)));
        routes.get("/v4/{id}/task", context -> answer(context, taskOf(id(context))));
        routes.get("/v4/{id}/stats", context -> answer(context, stats(id(context))));
    }

    private static String id(Context context) {
        return context.pathParam("id");
    }

    private static void answer(Context context, Optional<ObjectNode> found) {
        context.contentType("application/json")
                .status(found.isPresent() ? 200 : 404)
                .result(found.map(ObjectNode::toString).orElse("{}"));
    }

    private Optional<ObjectNode> taskOf(String containerId) {
        return task(containerId).map(this::render);
    }

    /** Memory only. */
    private Optional<ObjectNode> stats(String containerId) {
        return task(containerId).map(task -> {
            long pid = task.launch() == null ? 0 : task.launch().pid();
            ObjectNode stats = EcsJson.object()
                    .put("id", containerId)
                    .put("name", task.plan().containerName());
            stats.put("read", ledger.now().toString());
            stats.putObject("memory_stats")
                    .put("usage", ResidentSets.kibibytesOf(pid) * 1_024)
                    .put("limit", task.plan().size().hardMebibytes() * 1_048_576L);
            return stats;
        });
    }

    private Optional<Task> task(String containerId) {
        return ledger.find(containerId.split("-", 2)[0])
                .filter(task -> task.plan().containerId().equals(containerId));
    }

    private ObjectNode render(Task task) {
        TaskPlan plan = task.plan();
        ObjectNode json = EcsJson.object()
                .put("Cluster", plan.cluster())
                .put("TaskARN", plan.arn())
                .put("Family", plan.family())
                .put("Revision", Integer.toString(plan.revision()))
                .put("DesiredStatus", task.desiredStatus().name())
                .put("KnownStatus", task.lastStatus().name())
                .put("AvailabilityZone", Arn.REGION + "a")
                .put("LaunchType", "EC2")
                .put("ContainerInstanceARN", plan.containerInstanceArn());
        putTimes(json, task, "PullStartedAt");
        json.set("Limits", limits(plan.size(), plan.size().reservedMebibytes()));
        json.set("Containers", EcsJson.array().add(container(task)));
        return json;
    }

    private ObjectNode container(Task task) {
        TaskPlan plan = task.plan();
        ObjectNode json = EcsJson.object()
                .put("DockerId", plan.containerId())
                .put("Name", plan.containerName())
                .put("DockerName", plan.containerName())
                .put("Image", plan.image())
                .put("DesiredStatus", task.desiredStatus().name())
                .put("KnownStatus", task.lastStatus().name())
                .put("CreatedAt", plan.createdAt().toString())
                .put("Type", "NORMAL")
                .put("ContainerARN", plan.containerArn());
        putTimes(json, task, "StartedAt");
        ObjectNode labels = json.putObject("Labels")
                .put("com.amazonaws.ecs.cluster", plan.cluster())
                .put("com.amazonaws.ecs.container-name", plan.containerName())
                .put("com.amazonaws.ecs.task-arn", plan.arn())
                .put("com.amazonaws.ecs.task-definition-family", plan.family())
                .put("com.amazonaws.ecs.task-definition-version", Integer.toString(plan.revision()));
        pids.read(task.id()).ifPresent(pid -> labels.put(PID_LABEL, Long.toString(pid)));
        json.set("Limits", limits(plan.size(), plan.size().hardMebibytes()));
        return json;
    }

    private static void putTimes(ObjectNode json, Task task, String name) {
        if (task.launch() != null) {
            json.put(name, task.launch().startedAt().toString());
        }
    }

    private static ObjectNode limits(TaskSize size, int memoryMebibytes) {
        return EcsJson.object().put("CPU", size.cpuUnits()).put("Memory", memoryMebibytes);
    }
}
