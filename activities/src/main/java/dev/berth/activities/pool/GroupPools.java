package dev.berth.activities.pool;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.pool.PoolView;
import io.temporal.activity.Activity;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A pool for each group. The workflow that calls tells which one is meant: it is a group's pool, or
 * the lifecycle of a user who is handed over.
 */
public final class GroupPools implements PoolTasks {
    private final Map<UserGroup, LauncherPoolTasks> pools;
    private final Function<UserId, UserGroup> groups;

    /** @param pools with one of the default group */
    public GroupPools(Map<UserGroup, LauncherPoolTasks> pools, Function<UserId, UserGroup> groups) {
        this.pools = Map.copyOf(pools);
        this.groups = groups;
    }

    @Override
    public PoolView check(PoolSize size, List<String> starting) {
        return ofCaller().check(size, starting);
    }

    @Override
    public @Nullable String run(String clientToken) {
        return ofCaller().run(clientToken);
    }

    /** The sweep, an upgrade or a draining host may retire a worker of any group. */
    @Override
    public boolean retire(String taskArn, String reason) {
        Collection<LauncherPoolTasks> all = pools.values();
        Predicate<LauncherPoolTasks> lists = pool -> all.size() == 1 || pool.lists(taskArn);
        return all.stream()
                .filter(lists)
                .findFirst()
                .orElse(of(UserGroup.DEFAULT))
                .retire(taskArn, reason);
    }

    /**
     * Stops a retired worker of any group.
     *
     * @param task its ARN or id
     */
    public void stop(String task, String reason) {
        of(UserGroup.DEFAULT).stop(task, reason);
    }

    @Override
    public void forget(List<String> taskArns) {
        ofCaller().forget(taskArns);
    }

    private LauncherPoolTasks ofCaller() {
        String workflow = Activity.getExecutionContext().getInfo().getWorkflowId();
        return of(PoolNames.groupOfWorkflow(workflow)
                .or(() -> WorkflowIds.userOfWorker(workflow).map(groups))
                .orElse(UserGroup.DEFAULT));
    }

    private LauncherPoolTasks of(UserGroup group) {
        LauncherPoolTasks pool = pools.get(group);
        if (pool == null) {
            throw new IllegalStateException("The group " + group + " is not in the settings of this process."
                    + " Before a group is removed, its users leave it and its pool's target is 0.");
        }
        return pool;
    }
}
