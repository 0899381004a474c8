package dev.berth.activities.ecs;

import dev.berth.activities.launch.Host;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.WorkerHosts;
import dev.berth.workflows.worker.TaskArns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerDefinition;
import software.amazon.awssdk.services.ecs.model.ContainerInstance;
import software.amazon.awssdk.services.ecs.model.ContainerInstanceStatus;
import software.amazon.awssdk.services.ecs.model.Resource;

/** The container instances of the workers' cluster. */
final class EcsHosts implements WorkerHosts {
    private static final String CPU = "CPU";
    private static final String MEMORY = "MEMORY";

    private final EcsClient ecs;
    private final LaunchTargets targets;

    /** @param targets name the cluster and the families */
    EcsHosts(EcsClient ecs, LaunchTargets targets) {
        this.ecs = ecs;
        this.targets = targets;
    }

    @Override
    public List<String> active() {
        return list(ContainerInstanceStatus.ACTIVE);
    }

    private List<String> list(ContainerInstanceStatus status) {
        return EcsRequests.call(() -> ecs
                .listContainerInstancesPaginator(
                        list -> list.cluster(targets.cluster()).status(status))
                .containerInstanceArns()
                .stream()
                .toList());
    }

    @Override
    public List<Host> describe(Collection<String> hosts) {
        return instances(hosts).stream()
                .map(host -> new Host(host.containerInstanceArn(), host.runningTasksCount() + host.pendingTasksCount()))
                .toList();
    }

    private List<ContainerInstance> instances(Collection<String> hosts) {
        return EcsRequests.inBatches(
                hosts,
                some -> ecs.describeContainerInstances(
                                describe -> describe.cluster(targets.cluster()).containerInstances(some))
                        .containerInstances());
    }

    @Override
    public void drain(String host) {
        EcsRequests.call(() -> ecs.updateContainerInstancesState(update ->
                update.cluster(targets.cluster()).containerInstances(host).status(ContainerInstanceStatus.DRAINING)));
    }

    @Override
    public List<String> tasksOnDraining() {
        List<String> ids = new ArrayList<>();
        for (String host : list(ContainerInstanceStatus.DRAINING)) {
            for (String family : targets.families()) {
                // A host has room for fewer tasks than one page lists.
                EcsRequests.call(() -> ecs.listTasks(list -> list.cluster(targets.cluster())
                                .containerInstance(host)
                                .family(family)
                                .maxResults(EcsRequests.PAGE)))
                        .taskArns()
                        .forEach(arn -> ids.add(TaskArns.id(arn)));
            }
        }
        return ids;
    }

    @Override
    public long room(LaunchTarget target) {
        List<ContainerDefinition> containers = EcsRequests.call(
                () -> ecs.describeTaskDefinition(describe -> describe.taskDefinition(target.taskDefinition()))
                        .taskDefinition()
                        .containerDefinitions());
        int cpu = containers.stream().mapToInt(EcsHosts::cpu).sum();
        int memory = containers.stream().mapToInt(EcsHosts::memory).sum();
        return instances(active()).stream()
                .filter(host -> Boolean.TRUE.equals(host.agentConnected()))
                .mapToLong(host -> Math.min(fitting(host, CPU, cpu), fitting(host, MEMORY, memory)))
                .sum();
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
