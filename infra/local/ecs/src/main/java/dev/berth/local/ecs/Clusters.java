package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The clusters by name. One has hosts; every other cluster stays empty. */
final class Clusters {
    private final Set<String> names = new ConcurrentSkipListSet<>();
    private final String withHosts;
    private final TaskLedger ledger;
    private final Hosts hosts;

    /** @param withHosts the name of the cluster that the hosts belong to */
    Clusters(String withHosts, TaskLedger ledger, Hosts hosts) {
        this.withHosts = withHosts;
        this.ledger = ledger;
        this.hosts = hosts;
        names.add(withHosts);
    }

    /** The name of the requested cluster. Without one, ECS uses {@code default}. */
    String of(ApiRequest request) {
        String name = Arn.shortId(request.text("cluster").orElse("default"));
        if (!names.contains(name)) {
            throw ApiError.clusterNotFound();
        }
        return name;
    }

    boolean hasHosts(ApiRequest request) {
        return of(request).equals(withHosts);
    }

    /** Answers an existing cluster unchanged. */
    JsonNode create(ApiRequest request) {
        String name = request.text("clusterName").orElse("default");
        names.add(name);
        return EcsJson.object().set("cluster", render(name));
    }

    JsonNode list(ApiRequest request) {
        return ArnPage.of("clusterArns", names.stream().map(Arn::cluster).toList(), request);
    }

    JsonNode describe(ApiRequest request) {
        List<String> requested = request.texts("clusters");
        ArrayNode found = EcsJson.array();
        ArrayNode failures = EcsJson.array();
        for (String name : requested.isEmpty() ? List.of("default") : requested) {
            if (names.contains(Arn.shortId(name))) {
                found.add(render(Arn.shortId(name)));
            } else {
                failures.addObject().put("arn", Arn.cluster(Arn.shortId(name))).put("reason", "MISSING");
            }
        }
        ObjectNode answer = EcsJson.object();
        answer.set("clusters", found);
        answer.set("failures", failures);
        return answer;
    }

    private ObjectNode render(String name) {
        boolean hasHosts = name.equals(withHosts);
        List<Task> tasks = hasHosts ? ledger.live() : List.of();
        long running = tasks.stream().filter(task -> task.launch() != null).count();
        return EcsJson.object()
                .put("clusterArn", Arn.cluster(name))
                .put("clusterName", name)
                .put("status", "ACTIVE")
                .put(
                        "registeredContainerInstancesCount",
                        hasHosts ? hosts.registered().size() : 0)
                .put("runningTasksCount", running)
                .put("pendingTasksCount", tasks.size() - running)
                .put("activeServicesCount", 0);
    }
}
