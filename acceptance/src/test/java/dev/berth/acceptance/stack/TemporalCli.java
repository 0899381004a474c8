package dev.berth.acceptance.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.rest.JsonRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The {@code temporal} command line.
 *
 * @param decoded whether the API decodes what it shows; otherwise it shows what is stored
 */
public record TemporalCli(Stack stack, boolean decoded) {
    private record Found(DescribedWorkflow.Execution execution) {}

    private record Metadata(List<Details> queryResult) {}

    private record Details(String currentDetails) {}

    public TemporalCli(Stack stack) {
        this(stack, true);
    }

    /** Runs {@code temporal workflow} and returns its JSON. */
    public JsonNode workflow(String... arguments) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(run("workflow", arguments));
    }

    /** Runs {@code temporal schedule}. */
    public void schedule(String... arguments) throws IOException, InterruptedException {
        run("schedule", arguments);
    }

    private String run(String what, String... arguments) throws IOException, InterruptedException {
        FinishedCommand finished = attempt(what, arguments);
        assertThat(finished.status())
                .as("%s %s: %s", what, List.of(arguments), finished.errors())
                .isZero();
        return finished.out();
    }

    /** Runs a command that may fail. */
    public FinishedCommand attempt(String what, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(stack.temporal(), what));
        Collections.addAll(command, arguments);
        String address = "127.0.0.1:" + stack.port("TEMPORAL", 7233);
        Collections.addAll(command, "--address", address, "--namespace", "berth", "--output", "json");
        ProcessBuilder program = new ProcessBuilder(command);
        if (decoded) {
            program.environment().putAll(stack.codec());
        }
        return FinishedCommand.run(program);
    }

    /** The workflow ids that a visibility query finds, one per run. */
    public List<String> ids(String query) throws IOException, InterruptedException {
        return JsonRecords.list(workflow("list", "--query", query), Found.class).stream()
                .map(found -> found.execution().workflowId())
                .toList();
    }

    public List<WorkflowEvent> history(String workflowId) throws IOException, InterruptedException {
        return WorkflowEvent.of(workflow("show", "--workflow-id", workflowId));
    }

    public void awaitLast(String workflowId, String eventType, Duration patience) {
        await().atMost(patience).until(() -> history(workflowId).getLast().eventType(), type -> type.equals(eventType));
    }

    public void awaitScheduled(String workflowId, String activityType, Duration patience) {
        await().atMost(patience)
                .until(() -> !scheduled(history(workflowId), activityType).isEmpty());
    }

    /** Waits until an activity of this type has completed. */
    public void awaitCompleted(String workflowId, String activityType, Duration patience) {
        awaitCompleted(workflowId, activityType, 1, patience);
    }

    public void awaitCompleted(String workflowId, String activityType, int times, Duration patience) {
        await().atMost(patience).until(() -> completed(history(workflowId), activityType) >= times);
    }

    private static long completed(List<WorkflowEvent> history, String activityType) {
        List<WorkflowEvent> scheduled = scheduled(history, activityType);
        return history.stream()
                .filter(event -> scheduled.stream().anyMatch(event::completes))
                .count();
    }

    private static List<WorkflowEvent> scheduled(List<WorkflowEvent> history, String activityType) {
        return history.stream().filter(event -> event.schedules(activityType)).toList();
    }

    public DescribedWorkflow describe(String workflowId) throws IOException, InterruptedException {
        return JsonRecords.as(workflow("describe", "--workflow-id", workflowId), DescribedWorkflow.class);
    }

    public String runOf(String workflowId) throws IOException, InterruptedException {
        return describe(workflowId).workflowExecutionInfo().execution().runId();
    }

    /** The workflow's current details, as the Web UI shows them. */
    public String details(String workflowId) throws IOException, InterruptedException {
        return JsonRecords.as(workflow("metadata", "--workflow-id", workflowId), Metadata.class)
                .queryResult()
                .getFirst()
                .currentDetails();
    }

    /** The number of scheduled activities of this type. */
    public int count(String workflowId, String activityType) throws IOException, InterruptedException {
        return scheduled(history(workflowId), activityType).size();
    }

    /** Every payload of a history as text. */
    public String payloads(String workflowId) throws IOException, InterruptedException {
        StringBuilder all = new StringBuilder();
        workflow("show", "--workflow-id", workflowId)
                .findValuesAsText("data")
                .forEach(data -> all.append(WorkflowEvent.decoded(data)).append('\n'));
        return all.toString();
    }
}
