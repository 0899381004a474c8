package dev.berth.activities.pool;

import dev.berth.activities.worker.TaskLaunch;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.PoolTasks;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import software.amazon.awssdk.services.ecs.EcsClient;

/** Pool workers as ECS knows them; Redis tells which of them serve a user by now. */
public final class EcsPoolTasks implements PoolTasks {
    private final EcsClient ecs;
    private final RedisCommands<String, String> redis;
    private final WorkerTaskRequests requests;

    public EcsPoolTasks(EcsClient ecs, RedisCommands<String, String> redis, WorkerTaskRequests requests) {
        this.ecs = ecs;
        this.redis = redis;
        this.requests = requests;
    }

    @Override
    public int count() {
        List<String> tasks = ecs
                .listTasksPaginator(list -> list.cluster(requests.cluster()).startedBy(WorkerTaskRequests.POOL))
                .taskArns()
                .stream()
                .map(RedisKeys::taskId)
                .map(RedisKeys::task)
                .toList();
        if (tasks.isEmpty()) {
            return 0;
        }
        long claimed = redis.exists(tasks.toArray(String[]::new));
        return Math.toIntExact(tasks.size() - claimed);
    }

    @Override
    public int run(int count, String clientToken) {
        return TaskLaunch.run(ecs, requests.forPool(count, clientToken)).tasks().size();
    }
}
