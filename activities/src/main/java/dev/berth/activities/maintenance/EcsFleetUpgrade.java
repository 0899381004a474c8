package dev.berth.activities.maintenance;

import dev.berth.activities.group.FleetTaskRequests;
import dev.berth.activities.temporal.LifecycleWorkflowClient;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.FleetUpgrade;
import dev.berth.workflows.maintenance.UpgradePlan;
import dev.berth.workflows.maintenance.UpgradePlan.Outdated;
import dev.berth.workflows.maintenance.UpgradePlan.Revision;
import dev.berth.workflows.maintenance.UpgradeRequest;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.TaskArns;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.Task;

/** Compares the task definition of every worker that has a heartbeat with that of new workers. */
public final class EcsFleetUpgrade implements FleetUpgrade {
    private static final int SHOWN = 100;

    private final EcsClient ecs;
    private final FleetTaskRequests requests;
    private final FleetTasks tasks;
    private final HeartbeatKeys heartbeats;
    private final LifecycleWorkflowClient lifecycles;
    private final PoolTasks pool;

    public EcsFleetUpgrade(
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

    /**
     * The workers of the fleet, by what they run.
     *
     * @param target of the default group
     * @param wanted the targets of all outdated workers
     * @param idle the outdated pool workers
     */
    private record Fleet(
            String target,
            Map<String, Revision> revisions,
            Set<String> wanted,
            List<Outdated> outdated,
            List<Task> idle) {
        void add(String definition, int workers, int idleWorkers) {
            revisions.merge(
                    definition,
                    new Revision(definition, workers, idleWorkers),
                    (one, other) ->
                            new Revision(definition, one.workers() + other.workers(), one.idle() + other.idle()));
        }

        /** Whether a process of each target has started and reports that it lives. */
        boolean areTargetsProven() {
            return revisions.keySet().containsAll(wanted);
        }

        UpgradePlan plan() {
            return new UpgradePlan(
                    target,
                    List.copyOf(revisions.values()),
                    outdated.stream().limit(SHOWN).toList(),
                    outdated.size() + idle.size());
        }
    }

    @Override
    public UpgradePlan plan() {
        return read(null).plan();
    }

    @Override
    public UpgradePlan handOver(int users, UpgradeRequest request) {
        String reason = request.reason();
        Fleet fleet = read(request.user());
        List<Outdated> some = new ArrayList<>(fleet.outdated());
        Collections.shuffle(some);
        some.stream()
                .limit(fleet.areTargetsProven() ? users : 1)
                .forEach(worker ->
                        lifecycles.signal(worker.userId(), lifecycle -> lifecycle.handOver(worker.taskArn(), reason)));
        if (!fleet.idle().isEmpty()
                && (fleet.areTargetsProven() || some.isEmpty())
                && pool.retire(fleet.idle().getFirst().taskArn(), reason)) {
            UserGroup group = WorkerTaskRequests.groupOf(fleet.idle().getFirst());
            lifecycles.signalPool(group, PoolWorkflow::refill);
        }
        return fleet.plan();
    }

    /** @param only this user, and not the pool; null: all */
    private Fleet read(@Nullable UserId only) {
        Map<UserGroup, String> targets = new HashMap<>();
        requests.all().forEach(kind -> targets.put(kind.group(), newest(kind)));
        String usual = Objects.requireNonNull(targets.get(UserGroup.DEFAULT));
        HeartbeatKeys.All alive = heartbeats.all();
        Map<String, UserId> users = new HashMap<>();
        alive.users().forEach((user, task) -> users.put(task, user));
        Fleet fleet = new Fleet(usual, new TreeMap<>(), new HashSet<>(), new ArrayList<>(), new ArrayList<>());
        for (Task task : tasks.describe(tasks.running())) {
            String id = TaskArns.id(task.taskArn());
            String definition = task.taskDefinitionArn();
            String target = targets.getOrDefault(WorkerTaskRequests.groupOf(task), usual);
            boolean isOutdated = !definition.equals(target);
            UserId user = users.get(id);
            if (user != null) {
                fleet.add(definition, 1, 0);
                if (isOutdated && (only == null || only.equals(user))) {
                    fleet.outdated().add(new Outdated(user, task.taskArn(), definition, target));
                    fleet.wanted().add(target);
                }
            } else if (alive.pool().contains(id)) {
                fleet.add(definition, 0, 1);
                if (isOutdated && only == null) {
                    fleet.idle().add(task);
                    fleet.wanted().add(target);
                }
            }
        }
        return fleet;
    }

    /** The revision that new workers get. */
    private String newest(WorkerTaskRequests kind) {
        return ecs.describeTaskDefinition(describe -> describe.taskDefinition(kind.taskDefinition()))
                .taskDefinition()
                .taskDefinitionArn();
    }
}
