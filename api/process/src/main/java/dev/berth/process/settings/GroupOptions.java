package dev.berth.process.settings;

import dev.berth.activities.launch.LaunchTarget;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.PoolSize;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The workers of a group of users.
 *
 * @param taskDefinition family, or family and revision; empty: as for all other users
 * @param capacityProvider adds hosts when the group's workers find no room; empty: as for all
 *     other users
 * @param poolMinimum idle workers below which the group's pool needs attention
 * @param poolTarget idle workers to keep for the group; 0 keeps none
 * @param poolMaximumLifetime older idle workers are replaced
 */
public record GroupOptions(
        @DefaultValue("") String taskDefinition,
        @DefaultValue("") String capacityProvider,
        @DefaultValue("0") int poolMinimum,
        @DefaultValue("1") int poolTarget,
        @DefaultValue("PT12H") Duration poolMaximumLifetime) {

    public GroupOptions {
        var _ = new PoolSize(poolMinimum, poolTarget, poolMaximumLifetime);
    }

    public PoolSize pool() {
        return new PoolSize(poolMinimum, poolTarget, poolMaximumLifetime);
    }

    public LaunchTarget target(UserGroup group, BerthSettings settings) {
        BerthSettings.Ecs ecs = settings.ecs();
        return new LaunchTarget(
                ecs.cluster(),
                taskDefinition.isEmpty() ? ecs.taskDefinition() : taskDefinition,
                capacityProvider.isEmpty() ? ecs.capacityProvider() : capacityProvider,
                group);
    }
}
