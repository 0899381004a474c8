package dev.berth.acceptance.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.acceptance.rest.RestClient;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The overrides of all tasks that ECS knows, running and stopped. */
record TaskOverrides(RestClient ecs) {
    private static final String TARGET = "AmazonEC2ContainerServiceV20141113.";
    private static final String CLUSTER = "berth";

    /** The overrides by task ARN. */
    Map<String, String> all() throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>();
        for (String status : List.of("RUNNING", "STOPPED")) {
            ObjectNode list = request().put("desiredStatus", status);
            JsonNode page;
            do {
                page = call("ListTasks", list);
                describe(page.path("taskArns"), all);
                list.put("nextToken", page.path("nextToken").asText());
            } while (page.hasNonNull("nextToken"));
        }
        return all;
    }

    /** Describes a page, which never exceeds ECS's limit of 100. */
    private void describe(JsonNode arns, Map<String, String> all) throws IOException, InterruptedException {
        if (arns.isEmpty()) {
            return;
        }
        ObjectNode describe = request();
        describe.set("tasks", arns);
        for (JsonNode task : call("DescribeTasks", describe).path("tasks")) {
            all.put(
                    "overrides of " + task.path("taskArn").asText(),
                    task.path("overrides").toString());
        }
    }

    private static ObjectNode request() {
        return new ObjectMapper().createObjectNode().put("cluster", CLUSTER);
    }

    private JsonNode call(String action, ObjectNode body) throws IOException, InterruptedException {
        RestClient.JsonResponse answer = ecs.call("POST", "/", body.toString(), "X-Amz-Target", TARGET + action);
        if (answer.status() != 200) {
            throw new IOException("ECS answers " + answer.status() + " to " + action);
        }
        return answer.body();
    }
}
