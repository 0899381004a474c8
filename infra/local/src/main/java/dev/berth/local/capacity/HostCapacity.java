package dev.berth.local.capacity;

import java.util.List;

/**
 * How many tasks fit on a host, by each resource.
 *
 * @param hostCpu CPU units, 1,024 to a core
 * @param hostMemory MiB
 * @param taskCpu CPU units that a task reserves
 * @param taskMemory MiB that a task reserves: its soft limit
 * @param taskMemoryHard MiB at which a task is killed; not reserved
 * @param perHost so many are wanted on a host, at most
 */
record HostCapacity(int hostCpu, int hostMemory, int taskCpu, int taskMemory, int taskMemoryHard, int perHost) {

    int byCpu() {
        return hostCpu / taskCpu;
    }

    /** ECS places by the soft limit. */
    int bySoftMemory() {
        return hostMemory / taskMemory;
    }

    /** So many may use all of their memory at the same time. ECS does not look at it. */
    int byHardMemory() {
        return hostMemory / taskMemoryHard;
    }

    /** What ECS can place, and no more than is wanted. */
    int chosen() {
        return Math.min(perHost, placed());
    }

    /** What stops the next task. */
    String limit() {
        if (perHost < placed()) {
            return "the chosen number; " + resource() + " would stop at " + placed();
        }
        return resource();
    }

    private int placed() {
        return Math.min(byCpu(), bySoftMemory());
    }

    private String resource() {
        return byCpu() <= bySoftMemory() ? "CPU" : "soft memory";
    }

    List<String> lines() {
        return List.of(
                "host  %,d CPU units, %,d MiB".formatted(hostCpu, hostMemory),
                "task  %,d CPU units, %,d MiB soft, %,d MiB hard".formatted(taskCpu, taskMemory, taskMemoryHard),
                "",
                row("by CPU", hostCpu, taskCpu, byCpu(), ""),
                row("by soft memory", hostMemory, taskMemory, bySoftMemory(), "ECS places by CPU and this"),
                row("by hard memory", hostMemory, taskMemoryHard, byHardMemory(), "may be full at the same time"),
                "chosen                             %5d".formatted(chosen()),
                "",
                "%d tasks on a host, limited by %s.".formatted(chosen(), limit()));
    }

    private static String row(String name, int host, int task, int tasks, String note) {
        return "%-16s %8d / %-6d = %5d   %s"
                .formatted(name, host, task, tasks, note)
                .stripTrailing();
    }
}
