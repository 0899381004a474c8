package dev.berth.workflows.pool;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.WorkflowIds;
import java.util.Optional;

/**
 * What the pool of each group is called in Temporal, Redis and SQS: as that of the default group,
 * with the group's name at its end.
 */
public final class PoolNames {
    private PoolNames() {}

    public static String workflowId(UserGroup group) {
        return of(group, WorkflowIds.POOL, ":");
    }

    /** Whose pool it is; empty for the id of another workflow. */
    public static Optional<UserGroup> groupOfWorkflow(String workflowId) {
        return groupOf(workflowId, WorkflowIds.POOL);
    }

    /** The Redis key of the group's idle workers: {@link RedisKeys#POOL_IDLE}. */
    public static String idle(UserGroup group) {
        return of(group, RedisKeys.POOL_IDLE, ":");
    }

    /** In place of a claim: the task is launched for the group's pool. */
    public static String user(UserGroup group) {
        return of(group, RedisKeys.POOL_USER, ":");
    }

    /** For whose pool a task is launched; empty when it is launched for a user. */
    public static Optional<UserGroup> groupOfUser(String claim) {
        return groupOf(claim, RedisKeys.POOL_USER);
    }

    /**
     * The SQS queue of the group's claims.
     *
     * @param shared the queue of the default group
     */
    public static String claimQueue(String shared, UserGroup group) {
        return of(group, shared, "-");
    }

    private static String of(UserGroup group, String name, String separator) {
        return group.isDefault() ? name : name + separator + group;
    }

    private static Optional<UserGroup> groupOf(String text, String name) {
        if (text.equals(name)) {
            return Optional.of(UserGroup.DEFAULT);
        }
        return text.startsWith(name + ":") ? UserGroup.parse(text.substring(name.length() + 1)) : Optional.empty();
    }
}
