package dev.berth.local.ecs;

import java.util.List;

/**
 * A container instance: a name and a size to place tasks by. All of them are this machine.
 *
 * @param draining keeps its tasks, takes no new ones
 */
record Host(String id, int cpuUnits, int memoryMebibytes, boolean draining) {
    String arn() {
        return Arn.containerInstance(id);
    }

    Host withDraining(boolean newDraining) {
        return new Host(id, cpuUnits, memoryMebibytes, newDraining);
    }

    /** What the tasks among {@code live} that were placed here leave free. */
    Room room(List<Task> live) {
        int cpu = cpuUnits;
        int memory = memoryMebibytes;
        int tasks = 0;
        for (Task task : live) {
            if (task.plan().hostId().equals(id)) {
                cpu -= task.plan().size().cpuUnits();
                memory -= task.plan().size().reservedMebibytes();
                tasks++;
            }
        }
        return new Room(cpu, memory, tasks);
    }

    record Room(int cpuUnits, int memoryMebibytes, int tasks) {
        boolean fits(TaskSize size) {
            return fitsMemory(size) && size.cpuUnits() <= cpuUnits;
        }

        boolean fitsMemory(TaskSize size) {
            return size.reservedMebibytes() <= memoryMebibytes;
        }
    }
}
