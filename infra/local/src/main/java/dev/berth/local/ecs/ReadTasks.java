package dev.berth.local.ecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Lists tasks and describes them. */
final class ReadTasks {
    private final Clusters clusters;
    private final Ledger ledger;
    private final Supplier<Faults> faults;
    private final Supplier<Phantoms> phantoms;

    ReadTasks(Clusters clusters, Ledger ledger, Supplier<Faults> faults, Supplier<Phantoms> phantoms) {
        this.clusters = clusters;
        this.ledger = ledger;
        this.faults = faults;
        this.phantoms = phantoms;
    }

    JsonNode list(ApiRequest request) {
        String desired = request.text("desiredStatus").orElse("RUNNING");
        Optional<String> startedBy = request.text("startedBy");
        Optional<String> family = request.text("family");
        Optional<String> host = request.text("containerInstance").map(Arn::shortId);
        List<Task> shown = clusters.hasHosts(request) ? ledger.shown() : List.of();
        List<String> arns = shown.stream()
                .filter(faults.get()::knows)
                .filter(task -> task.desiredStatus().name().equals(desired))
                .map(Task::plan)
                .filter(plan -> startedBy.isEmpty() || startedBy.get().equals(plan.startedBy()))
                .filter(plan -> family.isEmpty() || family.get().equals(plan.family()))
                .filter(plan -> host.isEmpty() || host.get().equals(plan.hostId()))
                .map(TaskPlan::arn)
                .toList();
        List<String> ghosts = phantoms.get().asked(request);
        return Page.of(
                "taskArns",
                ghosts.isEmpty()
                        ? arns
                        : Stream.concat(arns.stream(), ghosts.stream()).toList(),
                request);
    }

    JsonNode describe(ApiRequest request) {
        boolean hasTasks = clusters.hasHosts(request);
        boolean withTags = request.texts("include").contains("TAGS");
        ArrayNode tasks = Json.array();
        ArrayNode failures = Json.array();
        for (String asked : request.texts("tasks")) {
            Optional<Task> found = hasTasks
                    ? ledger.find(asked)
                            .filter(faults.get()::knows)
                            .or(() -> phantoms.get().find(asked))
                    : Optional.empty();
            found.ifPresentOrElse(
                    task -> tasks.add(TaskJson.API
                            .render(task)
                            .set("tags", withTags ? task.plan().tags() : Json.array())),
                    () -> failures.addObject()
                            .put("arn", Arn.task(Arn.shortId(asked)))
                            .put("reason", "MISSING"));
        }
        ObjectNode answer = Json.object();
        answer.set("tasks", tasks);
        answer.set("failures", failures);
        return answer;
    }
}
