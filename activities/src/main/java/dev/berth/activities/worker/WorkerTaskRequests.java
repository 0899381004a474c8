package dev.berth.activities.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.PlacementStrategy;
import software.amazon.awssdk.services.ecs.model.PlacementStrategyType;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;

/**
 * {@code RunTask} requests for workers. What differs between two workers is their environment alone.
 *
 * @param cluster the ECS cluster
 * @param taskDefinition its family, or family and revision
 */
public record WorkerTaskRequests(String cluster, String taskDefinition) {
    /** The container's name in the task definition. */
    public static final String CONTAINER = "worker";
    /** {@code startedBy} of pool workers. It stays after a claim. */
    public static final String POOL = "berth-pool";
    /** {@code startedBy} of workers that were started for a user. */
    public static final String LIFECYCLE = "berth-lifecycle";

    RunTaskRequest forUser(UserId userId, long epoch, String clientToken) {
        Map<String, String> environment = Map.of("BERTH_USER_ID", userId.value(), "BERTH_EPOCH", Long.toString(epoch));
        return request(LIFECYCLE, clientToken, 1, environment);
    }

    /** Requests idle pool workers; at most 10 a call. */
    public RunTaskRequest forPool(int count, String clientToken) {
        return request(POOL, clientToken, count, Map.of("BERTH_USER_ID", RedisKeys.POOL_USER));
    }

    /** Full hosts are filled first, so that the others can drain and end. */
    private RunTaskRequest request(String startedBy, String clientToken, int count, Map<String, String> environment) {
        PlacementStrategy fullestFirst = PlacementStrategy.builder()
                .type(PlacementStrategyType.BINPACK)
                .field("memory")
                .build();
        ContainerOverride override = ContainerOverride.builder()
                .name(CONTAINER)
                .environment(environment.entrySet().stream()
                        .map(variable -> KeyValuePair.builder()
                                .name(variable.getKey())
                                .value(variable.getValue())
                                .build())
                        .toList())
                .build();
        return RunTaskRequest.builder()
                .cluster(cluster)
                .taskDefinition(taskDefinition)
                .count(count)
                .clientToken(clientToken)
                .startedBy(startedBy)
                .placementStrategy(List.of(fullestFirst))
                .overrides(overrides -> overrides.containerOverrides(List.of(override)))
                .build();
    }
}
