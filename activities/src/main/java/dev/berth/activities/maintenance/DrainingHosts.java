package dev.berth.activities.maintenance;

import dev.berth.activities.launch.WorkerHosts;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.pool.PoolWorkflow;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The workers on hosts that drain, since the host is to be terminated: a notice of a spot host, a
 * smaller scaling group, a new machine image. ECS leaves such tasks alone.
 */
public final class DrainingHosts {
    private static final String REASON = "its host drains";

    private final WorkerHosts hosts;
    private final WorkerLauncher launcher;
    private final HeartbeatKeys heartbeats;
    private final LifecycleWorkflowClient lifecycles;
    private final PoolTasks pool;

    public DrainingHosts(
            WorkerHosts hosts,
            WorkerLauncher launcher,
            RedisCommands<String, String> redis,
            LifecycleWorkflowClient lifecycles,
            PoolTasks pool) {
        this.hosts = hosts;
        this.launcher = launcher;
        this.heartbeats = new HeartbeatKeys(redis);
        this.lifecycles = lifecycles;
        this.pool = pool;
    }

    /** Ids of the workers' tasks that run on hosts that drain. */
    public List<String> tasks() {
        return hosts.tasksOnDraining();
    }

    /** Has users handed over to other processes, and retires workers without a user. */
    public void leave(List<String> taskIds) {
        Map<String, UserId> claimed = heartbeats.usersOf(taskIds);
        Set<UserGroup> pools = new HashSet<>();
        for (WorkerTask task : launcher.describe(taskIds)) {
            UserId user = RunningTask.of(task, claimed).userId();
            if (user != null) {
                lifecycles.signal(user, lifecycle -> lifecycle.handOver(task.arn(), REASON));
            } else if (pool.retire(task.arn(), REASON)) {
                pools.add(task.group());
            }
        }
        pools.forEach(group -> lifecycles.signalPool(group, PoolWorkflow::refill));
    }
}
