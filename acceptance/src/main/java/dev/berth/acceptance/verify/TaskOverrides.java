package dev.berth.acceptance.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.acceptance.Rest;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** With what tasks were started, by ECS' word; of stopped ones as long as ECS remembers them. */
record TaskOverrides(Rest ecs) {
    private static final String TARGET = "AmazonEC2ContainerServiceV20141113.";
    private static final String CLUSTER = "berth";

    /** By the ARN of the task. */
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

    /** A page has at most as many tasks as ECS describes at once: 100. */
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
        Rest.Answer answer = ecs.call("POST", "/", body.toString(), "X-Amz-Target", TARGET + action);
        if (answer.status() != 200) {
            throw new IOException("ECS answers " + answer.status() + " to " + action);
        }
        return answer.body();
    }
}
