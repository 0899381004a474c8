package dev.berth.local.ecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.local.ecs.TaskPlan.Token;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Places tasks and starts them. For a client token in use, returns its tasks and starts none. */
final class RunTask {
    private final Clusters clusters;
    private final TaskDefinitions definitions;
    private final Hosts hosts;
    private final TaskLedger ledger;
    private final Agent agent;

    RunTask(Clusters clusters, TaskDefinitions definitions, Hosts hosts, TaskLedger ledger, Agent agent) {
        this.clusters = clusters;
        this.definitions = definitions;
        this.hosts = hosts;
        this.ledger = ledger;
        this.agent = agent;
    }

    JsonNode answer(ApiRequest request) {
        boolean hasHosts = clusters.hasHosts(request);
        TaskDefinition definition = definitions
                .find(request.required("taskDefinition"))
                .orElseThrow(() -> ApiError.client("TaskDefinition not found."));
        NewTask wanted = NewTask.of(request, definition, token(request));
        int count = request.integer("count", 1, 10, 1);
        Decision decision = ledger.admit(
                book -> earlier(book, wanted.token()).orElseGet(() -> {
                    if (!hasHosts || hosts.active().isEmpty()) {
                        throw ApiError.invalidParameter("No Container Instances were found in your cluster.");
                    }
                    return place(book, wanted, count);
                }),
                Decision::accepted);
        decision.accepted().forEach(task -> agent.start(task.id()));
        return render(decision);
    }

    /**
     * @param tasks the tasks of the response
     * @param accepted those of {@code tasks} that are new
     * @param failures one for each host without room, if a task found no host
     */
    private record Decision(List<Task> tasks, List<Task> accepted, ArrayNode failures) {}

    private static Optional<Decision> earlier(TaskLedger book, @Nullable Token token) {
        List<Task> tasks = token == null ? List.of() : book.ofToken(token.clientToken());
        if (tasks.isEmpty() || token == null) {
            return Optional.empty();
        }
        if (!tasks.stream().allMatch(task -> token.equals(task.plan().request()))) {
            throw ApiError.conflict(
                    tasks.stream().map(task -> task.plan().arn()).toList());
        }
        return Optional.of(new Decision(tasks, List.of(), EcsJson.array()));
    }

    private Decision place(TaskLedger book, NewTask wanted, int count) {
        List<LocalHost> active = hosts.active();
        Placement placement = new Placement(active, book.live());
        List<Task> accepted = new ArrayList<>();
        ArrayNode failures = EcsJson.array();
        while (accepted.size() < count && failures.isEmpty()) {
            placement
                    .hostFor(wanted.size())
                    .ifPresentOrElse(
                            host -> {
                                Task task = Task.accepted(wanted.on(host, book.now()));
                                placement.add(task);
                                accepted.add(task);
                            },
                            () -> active.forEach(host -> failures.addObject()
                                    .put("arn", host.arn())
                                    .put("reason", placement.refusal(host, wanted.size()))));
        }
        return new Decision(accepted, accepted, failures);
    }

    private static ObjectNode render(Decision decision) {
        ArrayNode tasks = EcsJson.array();
        decision.tasks()
                .forEach(task -> tasks.add(
                        TaskJson.API.render(task).set("tags", task.plan().tags())));
        ObjectNode answer = EcsJson.object();
        answer.set("tasks", tasks);
        answer.set("failures", decision.failures());
        return answer;
    }

    private static @Nullable Token token(ApiRequest request) {
        String clientToken = request.text("clientToken").orElse(null);
        if (clientToken == null) {
            return null;
        }
        if (clientToken.length() > 64) {
            throw ApiError.invalidParameter("clientToken can have at most 64 characters.");
        }
        return new Token(clientToken, digest(((ObjectNode) request.body().deepCopy()).without("clientToken")));
    }

    /** Independent of the order of the parameters. */
    private static String digest(JsonNode parameters) {
        try {
            Map<?, ?> sorted = EcsJson.MAPPER.treeToValue(parameters, Map.class);
            byte[] text = EcsJson.MAPPER.writeValueAsString(sorted).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
