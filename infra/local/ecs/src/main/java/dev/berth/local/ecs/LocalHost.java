package dev.berth.local.ecs;

import java.util.List;

/**
 * A container instance: an id and a size for placement. All hosts are this machine.
 *
 * @param agentConnected false for a lost host that ECS has not noticed yet: it accepts no tasks
 */
record LocalHost(
        String cluster, String id, int cpuUnits, int memoryMebibytes, HostStatus status, boolean agentConnected) {
    enum HostStatus {
        ACTIVE,
        /** Keeps its tasks and accepts no new ones. */
        DRAINING,
        /** Deregistered: described but not listed. */
        INACTIVE
    }

    static LocalHost fresh(String cluster, String id, int cpuUnits, int memoryMebibytes) {
        return new LocalHost(cluster, id, cpuUnits, memoryMebibytes, HostStatus.ACTIVE, true);
    }

    boolean acceptsTasks() {
        return status == HostStatus.ACTIVE && agentConnected;
    }

    boolean isRegistered() {
        return status != HostStatus.INACTIVE;
    }

    String ec2InstanceId() {
        return "i-" + id.substring(0, 17);
    }

    String arn() {
        return Arn.containerInstance(cluster, id);
    }

    /** A deregistered host stays deregistered. */
    LocalHost withDraining(boolean draining) {
        HostStatus next = draining ? HostStatus.DRAINING : HostStatus.ACTIVE;
        return isRegistered() ? new LocalHost(cluster, id, cpuUnits, memoryMebibytes, next, agentConnected) : this;
    }

    LocalHost disconnected() {
        return new LocalHost(cluster, id, cpuUnits, memoryMebibytes, status, false);
    }

    LocalHost deregistered() {
        return new LocalHost(cluster, id, cpuUnits, memoryMebibytes, HostStatus.INACTIVE, false);
    }

    /** The resources that the live tasks of this host leave free. */
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
