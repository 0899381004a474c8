package dev.berth.local.stack.capacity;

import java.util.List;
import java.util.Locale;

/**
 * How many tasks fit on a host, by each resource.
 *
 * @param hostCpu CPU units, 1,024 to a core
 * @param hostMemory MiB
 * @param taskCpu CPU units that a task reserves
 * @param taskMemory MiB that a task reserves: its soft limit
 * @param taskMemoryHard MiB at which a task is killed; not reserved
 * @param perHost the wanted maximum on a host
 */
record HostCapacity(int hostCpu, int hostMemory, int taskCpu, int taskMemory, int taskMemoryHard, int perHost) {

    int byCpu() {
        return hostCpu / taskCpu;
    }

    /** ECS places by the soft limit. */
    int bySoftMemory() {
        return hostMemory / taskMemory;
    }

    /** Tasks that may use all of their memory at the same time. ECS ignores this limit. */
    int byHardMemory() {
        return hostMemory / taskMemoryHard;
    }

    /** The tasks that ECS can place, up to the wanted maximum. */
    int chosen() {
        return Math.min(perHost, placed());
    }

    /** The reason why the next task has no place. */
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
                String.format(Locale.ROOT, "host  %,d CPU units, %,d MiB", hostCpu, hostMemory),
                String.format(
                        Locale.ROOT,
                        "task  %,d CPU units, %,d MiB soft, %,d MiB hard",
                        taskCpu,
                        taskMemory,
                        taskMemoryHard),
                "",
                row("by CPU", hostCpu, taskCpu, byCpu(), ""),
                row("by soft memory", hostMemory, taskMemory, bySoftMemory(), "ECS places by CPU and this"),
                row("by hard memory", hostMemory, taskMemoryHard, byHardMemory(), "may be full at the same time"),
                "chosen                             %5s".formatted(chosen()),
                "",
                "%s tasks on a host, limited by %s.".formatted(chosen(), limit()));
    }

    private static String row(String name, int host, int task, int tasks, String note) {
        return "%-16s %8s / %-6s = %5s   %s"
                .formatted(name, host, task, tasks, note)
                .stripTrailing();
    }
}
