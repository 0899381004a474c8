package dev.berth.activities.pool;

import java.util.List;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerDefinition;
import software.amazon.awssdk.services.ecs.model.ContainerInstance;
import software.amazon.awssdk.services.ecs.model.ContainerInstanceStatus;
import software.amazon.awssdk.services.ecs.model.Resource;

/** How many more workers the active hosts can hold. */
public final class HostRoom {
    private static final String CPU = "CPU";
    private static final String MEMORY = "MEMORY";

    private final EcsClient ecs;
    private final String cluster;
    private final String taskDefinition;

    public HostRoom(EcsClient ecs, String cluster, String taskDefinition) {
        this.ecs = ecs;
        this.cluster = cluster;
        this.taskDefinition = taskDefinition;
    }

    /** Reads every host: one call and one for each hundred hosts. */
    public long tasks() {
        List<ContainerDefinition> containers = ecs.describeTaskDefinition(
                        describe -> describe.taskDefinition(taskDefinition))
                .taskDefinition()
                .containerDefinitions();
        int cpu = containers.stream().mapToInt(HostRoom::cpu).sum();
        int memory = containers.stream().mapToInt(HostRoom::memory).sum();
        List<String> hosts = ecs
                .listContainerInstancesPaginator(list -> list.cluster(cluster).status(ContainerInstanceStatus.ACTIVE))
                .containerInstanceArns()
                .stream()
                .toList();
        long room = 0;
        for (List<String> some : SurplusWorkers.hundreds(hosts)) {
            room += ecs
                    .describeContainerInstances(
                            describe -> describe.cluster(cluster).containerInstances(some))
                    .containerInstances()
                    .stream()
                    .filter(host -> Boolean.TRUE.equals(host.agentConnected()))
                    .mapToLong(host -> Math.min(fitting(host, CPU, cpu), fitting(host, MEMORY, memory)))
                    .sum();
        }
        return room;
    }

    private static int cpu(ContainerDefinition container) {
        return container.cpu() == null ? 0 : container.cpu();
    }

    /** ECS places by the soft limit where there is one. */
    private static int memory(ContainerDefinition container) {
        if (container.memoryReservation() != null) {
            return container.memoryReservation();
        }
        return container.memory() == null ? 0 : container.memory();
    }

    private static long fitting(ContainerInstance host, String resource, int needed) {
        int remaining = host.remainingResources().stream()
                .filter(one -> one.name().equals(resource))
                .mapToInt(Resource::integerValue)
                .findFirst()
                .orElse(0);
        return needed == 0 ? Integer.MAX_VALUE : Math.max(0, remaining / needed);
    }
}
