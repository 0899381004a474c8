package dev.berth.acceptance.stack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.Trader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The running tasks of a user: started for, or claimed by, that user. */
public record UserTasks(EcsApi ecs, RedisKeyspace redis) {

    public static UserTasks of(Stack stack) {
        return new UserTasks(EcsApi.of(stack), RedisKeyspace.of(stack));
    }

    /** Task ids, including workers that are fenced, closing or late. */
    public List<String> running(Trader trader) throws IOException, InterruptedException {
        List<String> tasks = new ArrayList<>();
        for (String task : ecs.running()) {
            if (startedFor(ecs.task(task)).equals(trader.user())
                    || redis.get("task:" + task).equals(trader.user())) {
                tasks.add(task);
            }
        }
        return tasks;
    }

    /** Unclaimed pool workers, also those that still start. */
    public List<JsonNode> ofThePool() throws IOException, InterruptedException {
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
