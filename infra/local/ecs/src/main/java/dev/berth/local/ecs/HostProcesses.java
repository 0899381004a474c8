package dev.berth.local.ecs;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The live processes of all hosts, by task. */
final class HostProcesses {
    private final Map<String, TaskProcess> reported = new ConcurrentHashMap<>();
    /** On lost hosts: the agent does not report them, and no stop reaches them. */
    private final Map<String, TaskProcess> abandoned = new ConcurrentHashMap<>();

    private final Set<String> lostHosts = ConcurrentHashMap.newKeySet();
    private final Function<String, String> hostOf;

    /** @param hostOf from the id of a task to the id of its host */
    HostProcesses(Function<String, String> hostOf) {
        this.hostOf = hostOf;
    }

    void add(String taskId, TaskProcess process) {
        reported.put(taskId, process);
    }

    /** Empty for an abandoned process. */
    Optional<TaskProcess> find(String taskId) {
        return Optional.ofNullable(reported.get(taskId));
    }

    /** Whether the agent must report the end of the process. */
    boolean remove(String taskId, TaskProcess process) {
        boolean isReported = reported.remove(taskId, process);
        abandoned.remove(taskId);
        return isReported;
    }

    boolean isLost(String hostId) {
        return lostHosts.contains(hostId);
    }

    /** Marks the host as lost and abandons its processes, which run on. */
    void abandon(String hostId) {
        lostHosts.add(hostId);
        reported.forEach((taskId, process) -> {
            if (hostOf.apply(taskId).equals(hostId)) {
                abandoned.put(taskId, process);
                reported.remove(taskId);
            }
        });
    }

    /** Kills the abandoned processes of the host. */
    void killAbandoned(String hostId) {
        abandoned.forEach((taskId, process) -> {
            if (hostOf.apply(taskId).equals(hostId)) {
                process.kill();
            }
        });
    }

    void killAbandoned() {
        abandoned.values().forEach(TaskProcess::kill);
    }

    void killReported() {
        reported.values().forEach(TaskProcess::kill);
    }

    /** The tasks of the processes that are not abandoned. */
    Set<String> reportedTasks() {
        return Set.copyOf(reported.keySet());
    }
}
