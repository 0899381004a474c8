package dev.berth.activities.maintenance;

import dev.berth.activities.group.FleetTaskRequests;
import dev.berth.activities.temporal.LifecycleWorkflowClient;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.TaskArns;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerInstanceStatus;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * The workers on hosts that drain, since the host is to be terminated: a notice of a spot host, a
 * smaller scaling group, a new machine image. ECS leaves such tasks alone.
 */
public final class DrainingHosts {
    private static final String REASON = "its host drains";

    /** The most tasks that ECS lists for one host, which has room for fewer. */
    private static final int TASKS = 100;

    private final EcsClient ecs;
    private final FleetTaskRequests requests;
    private final FleetTasks tasks;
    private final HeartbeatKeys heartbeats;
    private final LifecycleWorkflowClient lifecycles;
    private final PoolTasks pool;

    public DrainingHosts(
            EcsClient ecs,
            FleetTaskRequests requests,
            RedisCommands<String, String> redis,
            LifecycleWorkflowClient lifecycles,
            PoolTasks pool) {
        this.ecs = ecs;
        this.requests = requests;
        this.tasks = new FleetTasks(ecs, requests);
        this.heartbeats = new HeartbeatKeys(redis);
        this.lifecycles = lifecycles;
        this.pool = pool;
    }

    /** Ids of the workers' tasks that run on hosts that drain. */
    public List<String> tasks() {
        List<String> ids = new ArrayList<>();
        List<String> hosts = ecs.listContainerInstances(
                        list -> list.cluster(requests.cluster()).status(ContainerInstanceStatus.DRAINING))
                .containerInstanceArns();
        for (String host : hosts) {
            for (String family : requests.families()) {
                ecs.listTasks(list -> list.cluster(requests.cluster())
                                .containerInstance(host)
                                .family(family)
                                .maxResults(TASKS))
                        .taskArns()
                        .forEach(arn -> ids.add(TaskArns.id(arn)));
            }
        }
        return ids;
    }

    /** Has users handed over to other processes, and retires workers without a user. */
    public void leave(List<String> taskIds) {
        Map<String, UserId> claimed = heartbeats.usersOf(taskIds);
        Set<UserGroup> pools = new HashSet<>();
        for (Task task : tasks.describe(taskIds)) {
            UserId user = FleetTasks.running(task, claimed).userId();
            if (user != null) {
                lifecycles.signal(user, lifecycle -> lifecycle.handOver(task.taskArn(), REASON));
            } else if (pool.retire(task.taskArn(), REASON)) {
                pools.add(WorkerTaskRequests.groupOf(task));
            }
        }
        pools.forEach(group -> lifecycles.signalPool(group, PoolWorkflow::refill));
    }
}
