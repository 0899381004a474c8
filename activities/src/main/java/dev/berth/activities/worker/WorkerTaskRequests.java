package dev.berth.activities.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.ecs.model.CapacityProviderStrategyItem;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.PlacementStrategy;
import software.amazon.awssdk.services.ecs.model.PlacementStrategyType;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * {@code RunTask} requests for workers. What differs between two workers is their environment
 * alone.
 *
 * @param cluster the ECS cluster
 * @param taskDefinition its family, or family and revision
 * @param capacityProvider adds hosts when none has room; empty: the hosts are given
 * @param group whose workers they are
 */
public record WorkerTaskRequests(String cluster, String taskDefinition, String capacityProvider, UserGroup group) {
    /** The container's name in the task definition. */
    public static final String CONTAINER = "worker";
    /** {@code startedBy} of pool workers. It stays after a claim. */
    public static final String POOL = "berth-pool";
    /** {@code startedBy} of workers that were started for a user. */
    public static final String LIFECYCLE = "berth-lifecycle";

    /** The variable with the group; a worker of the default group has none. */
    public static final String GROUP = "BERTH_GROUP";

    private static final String USER = "BERTH_USER_ID";

    /** Requests for workers of the default group. */
    public WorkerTaskRequests(String cluster, String taskDefinition, String capacityProvider) {
        this(cluster, taskDefinition, capacityProvider, UserGroup.DEFAULT);
    }

    /** On the hosts that there are. */
    public WorkerTaskRequests(String cluster, String taskDefinition) {
        this(cluster, taskDefinition, "");
    }

    /** The task definition's family, from an ARN or a name, with or without a revision. */
    public String family() {
        return taskDefinition.substring(taskDefinition.lastIndexOf('/') + 1).replaceFirst(":\\d+$", "");
    }

    RunTaskRequest forUser(UserId userId, long epoch, String clientToken) {
        return request(
                LIFECYCLE,
                clientToken,
                List.of(variable(USER, userId.value()), variable("BERTH_EPOCH", Long.toString(epoch))));
    }

    /** Requests an idle pool worker. */
    public RunTaskRequest forPool(String clientToken) {
        return request(POOL, clientToken, List.of(variable(USER, RedisKeys.POOL_USER)));
    }

    /** Whether the task was requested for this user, or for the pool. */
    static boolean isFor(Task task, UserId userId) {
        String user = value(task, USER).orElse("");
        return switch (task.startedBy()) {
            case LIFECYCLE -> user.equals(userId.value());
            case POOL -> user.equals(RedisKeys.POOL_USER);
            case null, default -> false;
        };
    }

    /** Whose worker the task was requested as. */
    public static UserGroup groupOf(Task task) {
        return value(task, GROUP).flatMap(UserGroup::parse).orElse(UserGroup.DEFAULT);
    }

    private static Optional<String> value(Task task, String name) {
        if (task.overrides() == null) {
            return Optional.empty();
        }
        return task.overrides().containerOverrides().stream()
                .flatMap(container -> container.environment().stream())
                .filter(variable -> name.equals(variable.name()))
                .map(KeyValuePair::value)
                .findFirst();
    }

    private List<KeyValuePair> withGroup(List<KeyValuePair> environment) {
        List<KeyValuePair> all = new ArrayList<>(environment);
        if (!group.isDefault()) {
            all.add(variable(GROUP, group.name()));
        }
        return all;
    }

    private static KeyValuePair variable(String name, String value) {
        return KeyValuePair.builder().name(name).value(value).build();
    }

    /**
     * A request for one task, which has an enrolment secret of its own: tasks of one call would
     * share it. Full hosts are filled first, so that the others can drain and end.
     *
     * @param environment in the same order in every process: a token that comes again with another
     *     request is a conflict
     */
    private RunTaskRequest request(String startedBy, String clientToken, List<KeyValuePair> environment) {
        PlacementStrategy fullestFirst = PlacementStrategy.builder()
                .type(PlacementStrategyType.BINPACK)
                .field("memory")
                .build();
        ContainerOverride override = ContainerOverride.builder()
                .name(CONTAINER)
                .environment(withGroup(environment))
                .build();
        RunTaskRequest.Builder request = RunTaskRequest.builder();
        if (!capacityProvider.isEmpty()) {
            // Only a strategy makes a provider scale; a launch type fails without room.
            request.capacityProviderStrategy(CapacityProviderStrategyItem.builder()
                    .capacityProvider(capacityProvider)
                    .weight(1)
                    .build());
        }
        return request.cluster(cluster)
                .taskDefinition(taskDefinition)
                .count(1)
                .clientToken(clientToken)
                .startedBy(startedBy)
                .placementStrategy(List.of(fullestFirst))
                .overrides(overrides -> overrides.containerOverrides(List.of(override)))
                .build();
    }
}
