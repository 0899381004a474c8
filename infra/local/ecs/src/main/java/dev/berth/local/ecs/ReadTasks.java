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
    private final TaskLedger ledger;
    private final Supplier<EcsFaults> faults;
    private final Supplier<PhantomTasks> phantoms;

    ReadTasks(Clusters clusters, TaskLedger ledger, Supplier<EcsFaults> faults, Supplier<PhantomTasks> phantoms) {
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
        boolean hasTasks = clusters.hasHosts(request);
        List<Task> shown = hasTasks ? ledger.retained() : List.of();
        List<String> arns = shown.stream()
                .filter(faults.get()::knows)
                .filter(task -> task.desiredStatus().name().equals(desired))
                .map(Task::plan)
                .filter(plan -> startedBy.isEmpty() || startedBy.get().equals(plan.startedBy()))
                .filter(plan -> family.isEmpty() || family.get().equals(plan.family()))
                .filter(plan -> host.isEmpty() || host.get().equals(plan.hostId()))
                .map(TaskPlan::arn)
                .toList();
        List<String> phantomArns = hasTasks ? phantoms.get().list(request) : List.of();
        return ArnPage.of(
                "taskArns", Stream.concat(arns.stream(), phantomArns.stream()).toList(), request);
    }

    JsonNode describe(ApiRequest request) {
        String cluster = clusters.of(request);
        boolean hasTasks = clusters.hasHosts(request);
        boolean withTags = request.texts("include").contains("TAGS");
        ArrayNode tasks = EcsJson.array();
        ArrayNode failures = EcsJson.array();
        for (String id : request.someTexts("tasks", "Tasks cannot be empty.")) {
            Optional<Task> found = hasTasks
                    ? ledger.find(id)
                            .filter(faults.get()::knows)
                            .or(() -> phantoms.get().find(id))
                    : Optional.empty();
            found.ifPresentOrElse(
                    task -> tasks.add(TaskJson.API
                            .render(task)
                            .set("tags", withTags ? task.plan().tags() : EcsJson.array())),
                    () -> failures.addObject()
                            .put("arn", Arn.task(cluster, Arn.shortId(id)))
                            .put("reason", "MISSING"));
        }
        ObjectNode answer = EcsJson.object();
        answer.set("tasks", tasks);
        answer.set("failures", failures);
        return answer;
    }
}
