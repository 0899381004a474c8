package dev.berth.acceptance.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.acceptance.rest.RestClient;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The overrides of all tasks that ECS knows, running and stopped. */
record TaskOverrides(RestClient ecs) {
    private static final String TARGET = "AmazonEC2ContainerServiceV20141113.";
    private static final String CLUSTER = "berth";

    /** @param nextToken of the next page; null on the last one */
    private record TaskPage(List<String> taskArns, @Nullable String nextToken) {}

    private record OverriddenTask(String taskArn, @Nullable JsonNode overrides) {}

    /** The overrides by task ARN. */
    Map<String, String> all() throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>();
        for (String status : List.of("RUNNING", "STOPPED")) {
            ObjectNode list = request().put("desiredStatus", status);
            TaskPage page;
            do {
                page = call("ListTasks", list).as(TaskPage.class);
                describe(page.taskArns(), all);
                list.put("nextToken", page.nextToken());
            } while (page.nextToken() != null);
        }
        return all;
    }

    /** Describes a page, which never exceeds ECS's limit of 100. */
    private void describe(List<String> arns, Map<String, String> all) throws IOException, InterruptedException {
        if (arns.isEmpty()) {
            return;
        }
        ObjectNode describe = request();
        ArrayNode tasks = describe.putArray("tasks");
        arns.forEach(tasks::add);
        for (OverriddenTask task : call("DescribeTasks", describe).list("tasks", OverriddenTask.class)) {
            all.put("overrides of " + task.taskArn(), String.valueOf(task.overrides()));
        }
    }

    private static ObjectNode request() {
        return new ObjectMapper().createObjectNode().put("cluster", CLUSTER);
    }

    private RestClient.JsonResponse call(String action, ObjectNode body) throws IOException, InterruptedException {
        RestClient.JsonResponse answer = ecs.call("POST", "/", body.toString(), "X-Amz-Target", TARGET + action);
        if (answer.status() != 200) {
            throw new IOException("ECS answers " + answer.status() + " to " + action);
        }
        return answer;
    }
}
