package dev.berth.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Which tasks that ECS runs belong to a user: by what they were started with, or by what they wrote at a claim. */
record UserTasks(Ecs ecs, RedisKeyspace redis) {

    static UserTasks of(Stack stack) {
        return new UserTasks(Ecs.of(stack), RedisKeyspace.of(stack));
    }

    /** Task ids; a worker that is fenced, closing or late counts as well. */
    List<String> running(Trader trader) throws IOException, InterruptedException {
        List<String> mine = new ArrayList<>();
        for (String task : ecs.running()) {
            if (startedFor(ecs.task(task)).equals(trader.user())
                    || redis.get("task:" + task).equals(trader.user())) {
                mine.add(task);
            }
        }
        return mine;
    }

    /** Pool workers that nobody has claimed, those that still start as well. */
    List<JsonNode> ofThePool() throws IOException, InterruptedException {
        List<JsonNode> pool = new ArrayList<>();
        for (String id : ecs.running()) {
            JsonNode task = ecs.task(id);
            if (task.path("startedBy").asText().equals("berth-pool")
                    && redis.get("task:" + id).isEmpty()) {
                pool.add(task);
            }
        }
        return pool;
    }

    private static String startedFor(JsonNode task) {
        for (JsonNode container : task.path("overrides").path("containerOverrides")) {
            for (JsonNode variable : container.path("environment")) {
                if (variable.path("name").asText().equals("BERTH_USER_ID")) {
                    return variable.path("value").asText();
                }
            }
        }
        return "";
    }
}
