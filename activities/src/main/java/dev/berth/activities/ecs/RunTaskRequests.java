package dev.berth.activities.ecs;

import dev.berth.activities.launch.LaunchRequest;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ecs.model.CapacityProviderStrategyItem;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.PlacementStrategy;
import software.amazon.awssdk.services.ecs.model.PlacementStrategyType;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;

/** {@code RunTask} requests, and the names in them. */
public final class RunTaskRequests {
    /** The container's name in the task definition. */
    public static final String CONTAINER = "worker";
    /** {@code startedBy} of pool workers. It stays after a claim. */
    static final String POOL = "berth-pool";
    /** {@code startedBy} of workers that were started for a user. */
    static final String LIFECYCLE = "berth-lifecycle";

    /** The variable with the group; a worker of the default group has none. */
    public static final String GROUP = "BERTH_GROUP";

    /** The variable with the user, or with {@link RedisKeys#POOL_USER}. */
    public static final String USER = "BERTH_USER_ID";

    static final String EPOCH = "BERTH_EPOCH";
    /** Where the worker finds its enrolment secret. */
    static final String SECRET = "BERTH_ENROLMENT_SECRET";

    private RunTaskRequests() {}

    /**
     * A request for one task, which has an enrolment secret of its own: tasks of one call would
     * share it. Full hosts are filled first, so that the others can drain and end.
     */
    static RunTaskRequest of(LaunchRequest launch) {
        LaunchTarget target = launch.target();
        PlacementStrategy fullestFirst = PlacementStrategy.builder()
                .type(PlacementStrategyType.BINPACK)
                .field("memory")
                .build();
        ContainerOverride override = ContainerOverride.builder()
                .name(CONTAINER)
                .environment(environment(launch))
                .build();
        RunTaskRequest.Builder request = RunTaskRequest.builder();
        if (!target.capacityProvider().isEmpty()) {
            // Only a strategy makes a provider scale; a launch type fails without room.
            request.capacityProviderStrategy(CapacityProviderStrategyItem.builder()
                    .capacityProvider(target.capacityProvider())
                    .weight(1)
                    .build());
        }
        return request.cluster(target.cluster())
                .taskDefinition(target.taskDefinition())
                .count(1)
                .clientToken(launch.clientToken())
                .startedBy(launch.userId() == null ? POOL : LIFECYCLE)
                .placementStrategy(List.of(fullestFirst))
                .overrides(overrides -> overrides.containerOverrides(List.of(override)))
                .build();
    }

    /**
     * In the same order in every process: a token that comes again with another request is a
     * conflict.
     */
    private static List<KeyValuePair> environment(LaunchRequest launch) {
        UserId user = launch.userId();
        List<KeyValuePair> environment = new ArrayList<>();
        environment.add(variable(USER, user == null ? RedisKeys.POOL_USER : user.value()));
        if (user != null) {
            environment.add(variable(EPOCH, Long.toString(launch.epoch())));
        }
        if (!launch.target().group().isDefault()) {
            environment.add(variable(GROUP, launch.target().group().name()));
        }
        @Nullable String secret = launch.enrolmentSecret();
        if (secret != null) {
            environment.add(variable(SECRET, secret));
        }
        return environment;
    }

    private static KeyValuePair variable(String name, String value) {
        return KeyValuePair.builder().name(name).value(value).build();
    }
}
