package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The clusters by name. Only {@link #BERTH} has hosts; others are empty shells. */
final class Clusters {
    static final String BERTH = "berth";

    private final Set<String> names = new ConcurrentSkipListSet<>(List.of(BERTH));
    private final Ledger ledger;
    private final Hosts hosts;

    Clusters(Ledger ledger, Hosts hosts) {
        this.ledger = ledger;
        this.hosts = hosts;
    }

    /** The cluster's name; {@code default} when the call names none, as ECS does. */
    String of(ApiRequest request) {
        String name = Arn.shortId(request.text("cluster").orElse("default"));
        if (!names.contains(name)) {
            throw ApiError.clusterNotFound();
        }
        return name;
    }

    boolean hasHosts(ApiRequest request) {
        return of(request).equals(BERTH);
    }

    /** A cluster that exists already is answered as it is. */
    JsonNode create(ApiRequest request) {
        String name = request.text("clusterName").orElse("default");
        names.add(name);
        return Json.object().set("cluster", render(name));
    }

    JsonNode describe(ApiRequest request) {
        List<String> asked = request.texts("clusters");
        ArrayNode found = Json.array();
        ArrayNode failures = Json.array();
        for (String name : asked.isEmpty() ? List.of("default") : asked) {
            if (names.contains(Arn.shortId(name))) {
                found.add(render(Arn.shortId(name)));
            } else {
                failures.addObject().put("arn", Arn.cluster(Arn.shortId(name))).put("reason", "MISSING");
            }
        }
        ObjectNode answer = Json.object();
        answer.set("clusters", found);
        answer.set("failures", failures);
        return answer;
    }

    private ObjectNode render(String name) {
        boolean busy = name.equals(BERTH);
        List<Task> tasks = busy ? ledger.live() : List.of();
        long running = tasks.stream().filter(task -> task.launch() != null).count();
        return Json.object()
                .put("clusterArn", Arn.cluster(name))
                .put("clusterName", name)
                .put("status", "ACTIVE")
                .put("registeredContainerInstancesCount", busy ? hosts.all().size() : 0)
                .put("runningTasksCount", running)
                .put("pendingTasksCount", tasks.size() - running)
                .put("activeServicesCount", 0);
    }
}
