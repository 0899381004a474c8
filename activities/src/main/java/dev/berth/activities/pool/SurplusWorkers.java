package dev.berth.activities.pool;

import dev.berth.activities.pool.IdleWorkers.IdleWorker;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.worker.TaskArns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerInstance;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * Selects the idle workers to retire: the expired first, then those on the emptiest hosts, to free
 * hosts.
 */
final class SurplusWorkers {
    /** Workers per check. */
    private static final int PER_CHECK = 10;
    /** ECS describes at most this many tasks or hosts in one call. */
    private static final int DESCRIBED = 100;

    /** A task without the time counts as the oldest: moto answers none. */
    private static final Comparator<Task> OLDEST_FIRST =
            Comparator.comparing(Task::createdAt, Comparator.nullsFirst(Comparator.naturalOrder()));

    private final EcsClient ecs;
    private final String cluster;

    SurplusWorkers(EcsClient ecs, String cluster) {
        this.ecs = ecs;
        this.cluster = cluster;
    }

    /**
     * ARNs of the workers above the target: first the oldest expired worker, then the youngest on
     * the emptiest host.
     *
     * @param idle oldest first
     */
    List<String> of(List<IdleWorker> idle, PoolSize size) {
        int surplus = Math.min(idle.size() - size.target(), PER_CHECK);
        if (surplus <= 0) {
            return List.of();
        }
        List<Task> tasks = describe(idle);
        Map<String, Integer> load = load(tasks);
        Set<String> expired = idle.stream()
                .filter(worker -> worker.isOlderThan(size.maximumLifetime()))
                .map(IdleWorker::taskId)
                .collect(Collectors.toSet());
        Comparator<Task> emptiestHost = Comparator.comparing(task -> load.getOrDefault(task.containerInstanceArn(), 0));
        List<Task> expiredTasks = tasks.stream()
                .filter(task -> expired.contains(id(task)))
                .sorted(OLDEST_FIRST)
                .toList();
        List<Task> others = tasks.stream()
                .filter(task -> !expired.contains(id(task)))
                .sorted(emptiestHost.thenComparing(Task::containerInstanceArn).thenComparing(OLDEST_FIRST.reversed()))
                .toList();
        List<Task> all = new ArrayList<>(expiredTasks);
        all.addAll(others);
        return all.stream().limit(surplus).map(Task::taskArn).toList();
    }

    private List<Task> describe(List<IdleWorker> idle) {
        List<Task> tasks = new ArrayList<>();
        for (List<IdleWorker> some : hundreds(idle)) {
            List<String> ids = some.stream().map(IdleWorker::taskId).toList();
            tasks.addAll(ecs.describeTasks(describe -> describe.cluster(cluster).tasks(ids))
                    .tasks());
        }
        return tasks.stream()
                .filter(task ->
                        task.containerInstanceArn() != null && task.lastStatus().equals("RUNNING"))
                .toList();
    }

    /** Number of tasks on each host, including those of users. */
    private Map<String, Integer> load(List<Task> tasks) {
        Map<String, Integer> load = new HashMap<>();
        List<String> hosts =
                tasks.stream().map(Task::containerInstanceArn).distinct().toList();
        for (List<String> some : hundreds(hosts)) {
            List<ContainerInstance> described = ecs.describeContainerInstances(
                            describe -> describe.cluster(cluster).containerInstances(some))
                    .containerInstances();
            described.forEach(
                    host -> load.put(host.containerInstanceArn(), host.runningTasksCount() + host.pendingTasksCount()));
        }
        return load;
    }

    private static String id(Task task) {
        return TaskArns.id(task.taskArn());
    }

    static <T> List<List<T>> hundreds(List<T> all) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += DESCRIBED) {
            parts.add(all.subList(from, Math.min(from + DESCRIBED, all.size())));
        }
        return parts;
    }
}
