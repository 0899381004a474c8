package dev.berth.activities.launch;

import dev.berth.workflows.UserGroup;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The groups of users that there are, and what is launched for each, in one cluster.
 *
 * @param defaults for users who are in no other group
 * @param groups those of the settings, in the order of their names
 */
public record LaunchTargets(LaunchTarget defaults, Map<UserGroup, LaunchTarget> groups) {
    public LaunchTargets {
        Map<UserGroup, LaunchTarget> byName = new TreeMap<>(Comparator.comparing(UserGroup::name));
        byName.putAll(groups);
        groups = Collections.unmodifiableMap(byName);
    }

    /** One kind of worker for all users. */
    public static LaunchTargets of(LaunchTarget target) {
        return new LaunchTargets(target, Map.of());
    }

    public String cluster() {
        return defaults.cluster();
    }

    /** Whether the settings have the group. The default group is none of them. */
    public boolean has(UserGroup group) {
        return groups.containsKey(group);
    }

    /** The one of the default group for a group that the settings do not have. */
    public LaunchTarget of(UserGroup group) {
        return Objects.requireNonNull(groups.getOrDefault(group, defaults));
    }

    /** The default group first. */
    public List<LaunchTarget> all() {
        return Stream.concat(Stream.of(defaults), groups.values().stream()).toList();
    }

    /** Whether any group's workers wait for new hosts. */
    public boolean growsHosts() {
        return all().stream().anyMatch(kind -> !kind.capacityProvider().isEmpty());
    }

    /** Families of the workers' task definitions. */
    public Set<String> families() {
        return all().stream().map(LaunchTarget::family).collect(Collectors.toSet());
    }
}
