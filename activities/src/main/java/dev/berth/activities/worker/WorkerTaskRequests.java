package dev.berth.activities.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.util.List;
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
 */
public record WorkerTaskRequests(String cluster, String taskDefinition, String capacityProvider) {
    /** The container's name in the task definition. */
    public static final String CONTAINER = "worker";
    /** {@code startedBy} of pool workers. It stays after a claim. */
    public static final String POOL = "berth-pool";
    /** {@code startedBy} of workers that were started for a user. */
    public static final String LIFECYCLE = "berth-lifecycle";

    private static final String USER = "BERTH_USER_ID";

    /** On the hosts that there are. */
    public WorkerTaskRequests(String cluster, String taskDefinition) {
        this(cluster, taskDefinition, "");
    }

    RunTaskRequest forUser(UserId userId, long epoch, String clientToken) {
        return request(
                LIFECYCLE,
                clientToken,
                1,
                List.of(variable(USER, userId.value()), variable("BERTH_EPOCH", Long.toString(epoch))));
    }

    /** Requests idle pool workers; at most 10 a call. */
    public RunTaskRequest forPool(int count, String clientToken) {
        return request(POOL, clientToken, count, List.of(variable(USER, RedisKeys.POOL_USER)));
    }

    /** Whether the task was requested for this user, or for the pool. */
    static boolean isFor(Task task, UserId userId) {
        String user = task.overrides().containerOverrides().stream()
                .flatMap(container -> container.environment().stream())
                .filter(variable -> USER.equals(variable.name()))
                .map(KeyValuePair::value)
                .findFirst()
                .orElse("");
        return switch (task.startedBy()) {
            case LIFECYCLE -> user.equals(userId.value());
            case POOL -> user.equals(RedisKeys.POOL_USER);
            case null, default -> false;
        };
    }

    private static KeyValuePair variable(String name, String value) {
        return KeyValuePair.builder().name(name).value(value).build();
    }

    /**
     * Full hosts are filled first, so that the others can drain and end.
     *
     * @param environment in the same order in every process: a token that comes again with another
     *     request is a conflict
     */
    private RunTaskRequest request(String startedBy, String clientToken, int count, List<KeyValuePair> environment) {
        PlacementStrategy fullestFirst = PlacementStrategy.builder()
                .type(PlacementStrategyType.BINPACK)
                .field("memory")
                .build();
        ContainerOverride override = ContainerOverride.builder()
                .name(CONTAINER)
                .environment(environment)
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
                .count(count)
                .clientToken(clientToken)
                .startedBy(startedBy)
                .placementStrategy(List.of(fullestFirst))
                .overrides(overrides -> overrides.containerOverrides(List.of(override)))
                .build();
    }
}
