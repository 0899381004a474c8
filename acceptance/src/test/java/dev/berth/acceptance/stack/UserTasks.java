package dev.berth.acceptance.stack;

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
            if (ecs.task(task).variable("BERTH_USER_ID").equals(trader.user())
                    || redis.get("task:" + task).equals(trader.user())) {
                tasks.add(task);
            }
        }
        return tasks;
    }

    /** Unclaimed pool workers, also those that still start. */
    public List<EcsTask> ofThePool() throws IOException, InterruptedException {
        List<EcsTask> pool = new ArrayList<>();
        for (String id : ecs.running()) {
            EcsTask task = ecs.task(id);
            if ("berth-pool".equals(task.startedBy()) && redis.get("task:" + id).isEmpty()) {
                pool.add(task);
            }
        }
        return pool;
    }
}
