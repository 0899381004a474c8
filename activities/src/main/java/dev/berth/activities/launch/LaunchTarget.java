package dev.berth.activities.launch;

import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;

/**
 * Where the workers of a group are launched, and as what.
 *
 * @param cluster the ECS cluster
 * @param taskDefinition its family, or family and revision
 * @param capacityProvider adds hosts when none has room; empty: the hosts are given
 * @param group whose workers they are
 */
public record LaunchTarget(String cluster, String taskDefinition, String capacityProvider, UserGroup group) {
    /** For workers of the default group. */
    public LaunchTarget(String cluster, String taskDefinition, String capacityProvider) {
        this(cluster, taskDefinition, capacityProvider, UserGroup.DEFAULT);
    }

    /** On the hosts that there are. */
    public LaunchTarget(String cluster, String taskDefinition) {
        this(cluster, taskDefinition, "");
    }

    /** The task definition's family, from an ARN or a name, with or without a revision. */
    public String family() {
        return taskDefinition.substring(taskDefinition.lastIndexOf('/') + 1).replaceFirst(":\\d+$", "");
    }

    /** Requests the worker of a user. */
    public LaunchRequest forUser(UserId userId, long epoch, String clientToken) {
        return new LaunchRequest(this, clientToken, userId, epoch, null);
    }

    /** Requests an idle pool worker. */
    public LaunchRequest forPool(String clientToken) {
        return new LaunchRequest(this, clientToken, null, 0, null);
    }
}
