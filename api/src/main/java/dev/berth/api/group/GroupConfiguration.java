package dev.berth.api.group;

import dev.berth.activities.group.FleetTaskRequests;
import dev.berth.activities.group.UserGroups;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.api.BerthSettings;
import dev.berth.workflows.UserGroup;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Which groups there are, what is launched for each, and who is in which. */
@Configuration
class GroupConfiguration {
    @Bean
    UserGroups userGroups(JdbcTemplate postgres, FleetTaskRequests requests) {
        return new UserGroups(postgres, requests);
    }

    @Bean
    FleetTaskRequests fleetTaskRequests(WorkerTaskRequests defaults, BerthSettings settings) {
        Map<UserGroup, WorkerTaskRequests> groups = settings.groups().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, group -> group.getValue().requests(group.getKey(), settings)));
        return new FleetTaskRequests(defaults, groups);
    }
}
