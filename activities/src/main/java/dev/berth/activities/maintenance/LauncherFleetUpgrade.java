package dev.berth.activities.maintenance;

import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.FleetUpgrade;
import dev.berth.workflows.maintenance.UpgradePlan;
import dev.berth.workflows.maintenance.UpgradePlan.Outdated;
import dev.berth.workflows.maintenance.UpgradePlan.Revision;
import dev.berth.workflows.maintenance.UpgradeRequest;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.pool.PoolWorkflow;
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

/** Compares the task definition of every worker that has a heartbeat with that of new workers. */
public final class LauncherFleetUpgrade implements FleetUpgrade {
    private static final int SHOWN = 100;

    private final WorkerLauncher launcher;
    private final LaunchTargets targets;
    private final HeartbeatKeys heartbeats;
    private final LifecycleWorkflowClient lifecycles;
    private final PoolTasks pool;

    public LauncherFleetUpgrade(
            WorkerLauncher launcher,
            LaunchTargets targets,
            RedisCommands<String, String> redis,
            LifecycleWorkflowClient lifecycles,
            PoolTasks pool) {
        this.launcher = launcher;
        this.targets = targets;
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
            List<WorkerTask> idle) {
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
                && pool.retire(fleet.idle().getFirst().arn(), reason)) {
            UserGroup group = fleet.idle().getFirst().group();
            lifecycles.signalPool(group, PoolWorkflow::refill);
        }
        return fleet.plan();
    }

    /** @param only this user, and not the pool; null: all */
    private Fleet read(@Nullable UserId only) {
        Map<UserGroup, String> newest = new HashMap<>();
        targets.all().forEach(kind -> newest.put(kind.group(), launcher.revision(kind.taskDefinition())));
        String usual = Objects.requireNonNull(newest.get(UserGroup.DEFAULT));
        HeartbeatKeys.All alive = heartbeats.all();
        Map<String, UserId> users = new HashMap<>();
        alive.users().forEach((user, task) -> users.put(task, user));
        Fleet fleet = new Fleet(usual, new TreeMap<>(), new HashSet<>(), new ArrayList<>(), new ArrayList<>());
        for (WorkerTask task : launcher.describe(launcher.running())) {
            String id = task.id();
            String definition = task.revision();
            String target = newest.getOrDefault(task.group(), usual);
            boolean isOutdated = !definition.equals(target);
            UserId user = users.get(id);
            if (user != null) {
                fleet.add(definition, 1, 0);
                if (isOutdated && (only == null || only.equals(user))) {
                    fleet.outdated().add(new Outdated(user, task.arn(), definition, target));
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
}
