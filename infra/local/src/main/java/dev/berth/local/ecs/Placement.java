package dev.berth.local.ecs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** {@code binpack(memory)}: the fullest host on which the task still fits. */
final class Placement {
    private final List<Host> hosts;
    private final List<Task> live;

    /** @param hosts those that take new tasks; not empty */
    Placement(List<Host> hosts, List<Task> live) {
        this.hosts = hosts;
        this.live = new ArrayList<>(live);
    }

    Optional<Host> hostFor(TaskSize size) {
        return hosts.stream()
                .filter(host -> host.room(live).fits(size))
                .min(Comparator.comparingInt(host -> host.room(live).memoryMebibytes()));
    }

    /** Counts a task that was just placed, before the ledger knows it. */
    void add(Task task) {
        live.add(task);
    }

    /** Why {@code host} did not take a task of this size, in the words of ECS. */
    String refusal(Host host, TaskSize size) {
        return host.room(live).fitsMemory(size) ? "RESOURCE:CPU" : "RESOURCE:MEMORY";
    }
}
