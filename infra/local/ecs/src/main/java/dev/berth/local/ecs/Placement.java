package dev.berth.local.ecs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** {@code binpack(memory)}: the fullest host that has room for the task. */
final class Placement {
    private final List<LocalHost> hosts;
    private final List<Task> live;

    /** @param hosts the hosts that accept tasks; not empty */
    Placement(List<LocalHost> hosts, List<Task> live) {
        this.hosts = hosts;
        this.live = new ArrayList<>(live);
    }

    Optional<LocalHost> hostFor(TaskSize size) {
        return hosts.stream()
                .filter(host -> host.room(live).fits(size))
                .min(Comparator.comparingInt(host -> host.room(live).memoryMebibytes()));
    }

    /** Counts a placed task that the ledger does not contain yet. */
    void add(Task task) {
        live.add(task);
    }

    /** The failure reason of ECS for a host without room. */
    String refusal(LocalHost host, TaskSize size) {
        return host.room(live).fitsMemory(size) ? "RESOURCE:CPU" : "RESOURCE:MEMORY";
    }
}
