package dev.berth.process;

import dev.berth.activities.group.UserGroups;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.process.settings.BerthSettings;
import dev.berth.workflows.UserGroup;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Which groups there are, what is launched for each, and who is in which. */
@Configuration
@Import(UserGroups.class)
class GroupConfiguration {
    @Bean
    LaunchTargets launchTargets(BerthSettings settings) {
        BerthSettings.Ecs ecs = settings.ecs();
        LaunchTarget defaults = new LaunchTarget(ecs.cluster(), ecs.taskDefinition(), ecs.capacityProvider());
        Map<UserGroup, LaunchTarget> groups = settings.groups().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, group -> group.getValue().target(group.getKey(), settings)));
        return new LaunchTargets(defaults, groups);
    }
}
