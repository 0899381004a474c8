package dev.berth.rest.group;

import dev.berth.activities.launch.LaunchTarget;
import dev.berth.process.settings.GroupOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of users, and what they get.
 *
 * @param taskDefinition of its workers
 * @param capacityProvider empty: the hosts are given
 * @param poolTarget idle workers of its pool
 * @param users how many are in it
 */
record GroupView(String group, String taskDefinition, String capacityProvider, int poolTarget, long users) {
    /** Every group but the default one, by name. */
    record All(List<GroupView> groups) {}

    /**
     * Users of a group, by name.
     *
     * @param nextCursor of the next page; null on the last one
     */
    record Members(
            String group, List<String> items, @Nullable String nextCursor) {}

    /** Which group a user is in from the next start of a worker on. */
    record Member(String userId, String group) {}

    static GroupView of(LaunchTarget target, GroupOptions options, long users) {
        return new GroupView(
                target.group().name(), target.taskDefinition(), target.capacityProvider(), options.poolTarget(), users);
    }
}
