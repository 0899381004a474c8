package dev.berth.activities.group;

import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.UserGroup;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is launched for each group, in one cluster.
 *
 * @param defaults for users who are in no other group
 * @param groups the others, by their name
 */
public record FleetTaskRequests(WorkerTaskRequests defaults, Map<UserGroup, WorkerTaskRequests> groups) {
    public FleetTaskRequests {
        groups = Map.copyOf(groups);
    }

    /** One kind of worker for all users. */
    public static FleetTaskRequests of(WorkerTaskRequests requests) {
        return new FleetTaskRequests(requests, Map.of());
    }

    public String cluster() {
        return defaults.cluster();
    }

    /** Those of the default group for a group that the settings do not have. */
    public WorkerTaskRequests of(UserGroup group) {
        return Objects.requireNonNull(groups.getOrDefault(group, defaults));
    }

    /** The default group first. */
    public List<WorkerTaskRequests> all() {
        return Stream.concat(Stream.of(defaults), groups.values().stream()).toList();
    }

    /** Whether any group's workers wait for new hosts. */
    public boolean growsHosts() {
        return all().stream().anyMatch(kind -> !kind.capacityProvider().isEmpty());
    }

    /** Families of the workers' task definitions. */
    public Set<String> families() {
        return all().stream().map(WorkerTaskRequests::family).collect(Collectors.toSet());
    }
}
