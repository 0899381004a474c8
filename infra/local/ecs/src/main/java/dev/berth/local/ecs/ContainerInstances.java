package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** Lists, describes, drains and deregisters the hosts. */
final class ContainerInstances {
    private static final int UPDATED_AT_ONCE = 10;
    private static final String NONE = "Container instance cannot be empty.";

    private final Clusters clusters;
    private final Hosts hosts;
    private final TaskLedger ledger;
    private final HostRemoval removal;

    ContainerInstances(Clusters clusters, Hosts hosts, TaskLedger ledger, HostRemoval removal) {
        this.clusters = clusters;
        this.hosts = hosts;
        this.ledger = ledger;
        this.removal = removal;
    }

    JsonNode list(ApiRequest request) {
        Optional<String> status = request.text("status");
        List<LocalHost> all = clusters.hasHosts(request) ? hosts.registered() : List.of();
        List<String> arns = all.stream()
                .filter(host ->
                        status.isEmpty() || status.get().equals(host.status().name()))
                .map(LocalHost::arn)
                .toList();
        return ArnPage.of("containerInstanceArns", arns, request);
    }

    JsonNode describe(ApiRequest request) {
        return describe(clusters.of(request), request.someTexts("containerInstances", NONE));
    }

    JsonNode updateState(ApiRequest request) {
        String cluster = clusters.of(request);
        String status = request.required("status");
        if (!status.equals("ACTIVE") && !status.equals("DRAINING")) {
            throw ApiError.invalidParameter("Container instance status should be one of [ACTIVE,DRAINING].");
        }
        List<String> ids = request.someTexts("containerInstances", NONE);
        if (ids.size() > UPDATED_AT_ONCE) {
            throw ApiError.invalidParameter("instanceIds can have at most " + UPDATED_AT_ONCE + " items.");
        }
        ids.forEach(id -> hosts.change(Arn.shortId(id), host -> host.withDraining(status.equals("DRAINING"))));
        return describe(cluster, ids);
    }

    JsonNode deregister(ApiRequest request) {
        clusters.of(request);
        LocalHost host = hosts.find(request.required("containerInstance"))
                .filter(LocalHost::isRegistered)
                .orElseThrow(() -> ApiError.invalidParameter("The referenced container instance was not found."));
        boolean isForced = request.body().path("force").asBoolean(false);
        if (!isForced && host.room(ledger.live()).tasks() > 0) {
            throw ApiError.invalidParameter("Found running tasks on the instance.");
        }
        LocalHost deregistered = removal.deregister(host.id());
        return EcsJson.object().set("containerInstance", render(deregistered, ledger.live()));
    }

    private ObjectNode describe(String cluster, List<String> ids) {
        List<Task> live = ledger.live();
        ArrayNode found = EcsJson.array();
        ArrayNode failures = EcsJson.array();
        for (String id : ids) {
            hosts.find(id)
                    .ifPresentOrElse(
                            host -> found.add(render(host, live)),
                            () -> failures.addObject()
                                    .put("arn", Arn.containerInstance(cluster, Arn.shortId(id)))
                                    .put("reason", "MISSING"));
        }
        ObjectNode answer = EcsJson.object();
        answer.set("containerInstances", found);
        answer.set("failures", failures);
        return answer;
    }

    private static ObjectNode render(LocalHost host, List<Task> live) {
        LocalHost.Room room = host.room(live);
        long running = live.stream()
                .filter(task -> task.plan().hostId().equals(host.id()) && task.launch() != null)
                .count();
        ObjectNode json = EcsJson.object()
                .put("containerInstanceArn", host.arn())
                .put("ec2InstanceId", host.ec2InstanceId())
                .put("status", host.status().name())
                .put("agentConnected", host.agentConnected())
                .put("runningTasksCount", running)
                .put("pendingTasksCount", room.tasks() - running);
        json.set("registeredResources", resources(host.cpuUnits(), host.memoryMebibytes()));
        json.set("remainingResources", resources(room.cpuUnits(), room.memoryMebibytes()));
        return json;
    }

    private static ArrayNode resources(int cpuUnits, int memoryMebibytes) {
        ArrayNode resources = EcsJson.array();
        resources.addObject().put("name", "CPU").put("type", "INTEGER").put("integerValue", cpuUnits);
        resources.addObject().put("name", "MEMORY").put("type", "INTEGER").put("integerValue", memoryMebibytes);
        return resources;
    }
}
