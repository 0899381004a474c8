package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** Lists, describes and drains the hosts. */
final class ContainerInstances {
    private final Clusters clusters;
    private final Hosts hosts;
    private final Ledger ledger;

    ContainerInstances(Clusters clusters, Hosts hosts, Ledger ledger) {
        this.clusters = clusters;
        this.hosts = hosts;
        this.ledger = ledger;
    }

    JsonNode list(ApiRequest request) {
        Optional<String> status = request.text("status");
        List<Host> all = clusters.hasHosts(request) ? hosts.all() : List.of();
        List<String> arns = all.stream()
                .filter(host -> status.isEmpty() || status.get().equals(status(host)))
                .map(Host::arn)
                .toList();
        return Page.of("containerInstanceArns", arns, request);
    }

    JsonNode describe(ApiRequest request) {
        clusters.of(request);
        return describe(request.texts("containerInstances"));
    }

    JsonNode updateState(ApiRequest request) {
        clusters.of(request);
        String status = request.required("status");
        if (!status.equals("ACTIVE") && !status.equals("DRAINING")) {
            throw ApiError.invalidParameter("Container instance status should be one of [ACTIVE,DRAINING].");
        }
        List<String> asked = request.texts("containerInstances");
        asked.forEach(id -> hosts.drain(Arn.shortId(id), status.equals("DRAINING")));
        return describe(asked);
    }

    private ObjectNode describe(List<String> asked) {
        List<Task> live = ledger.live();
        ArrayNode found = Json.array();
        ArrayNode failures = Json.array();
        for (String id : asked) {
            hosts.find(id)
                    .ifPresentOrElse(
                            host -> found.add(render(host, live)),
                            () -> failures.addObject()
                                    .put("arn", Arn.containerInstance(Arn.shortId(id)))
                                    .put("reason", "MISSING"));
        }
        ObjectNode answer = Json.object();
        answer.set("containerInstances", found);
        answer.set("failures", failures);
        return answer;
    }

    private static ObjectNode render(Host host, List<Task> live) {
        Host.Room room = host.room(live);
        long running = live.stream()
                .filter(task -> task.plan().hostId().equals(host.id()) && task.launch() != null)
                .count();
        ObjectNode json = Json.object()
                .put("containerInstanceArn", host.arn())
                .put("ec2InstanceId", "i-" + host.id().substring(0, 17))
                .put("status", status(host))
                .put("agentConnected", true)
                .put("runningTasksCount", running)
                .put("pendingTasksCount", room.tasks() - running);
        json.set("registeredResources", resources(host.cpuUnits(), host.memoryMebibytes()));
        json.set("remainingResources", resources(room.cpuUnits(), room.memoryMebibytes()));
        return json;
    }

    private static ArrayNode resources(int cpuUnits, int memoryMebibytes) {
        ArrayNode resources = Json.array();
        resources.addObject().put("name", "CPU").put("type", "INTEGER").put("integerValue", cpuUnits);
        resources.addObject().put("name", "MEMORY").put("type", "INTEGER").put("integerValue", memoryMebibytes);
        return resources;
    }

    private static String status(Host host) {
        return host.draining() ? "DRAINING" : "ACTIVE";
    }
}
