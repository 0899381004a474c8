package dev.berth.activities.worker;

import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.util.List;
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
        return request(
                LIFECYCLE,
                clientToken,
                1,
                List.of(variable("BERTH_USER_ID", userId.value()), variable("BERTH_EPOCH", Long.toString(epoch))));
    }

    /** Requests idle pool workers; at most 10 a call. */
    public RunTaskRequest forPool(int count, String clientToken) {
        return request(POOL, clientToken, count, List.of(variable("BERTH_USER_ID", RedisKeys.POOL_USER)));
    }

    private static KeyValuePair variable(String name, String value) {
        return KeyValuePair.builder().name(name).value(value).build();
    }

    /**
     * Full hosts are filled first, so that the others can drain and end.
     *
     * @param environment in the same order in every process: a token that comes again with another request is a conflict
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
