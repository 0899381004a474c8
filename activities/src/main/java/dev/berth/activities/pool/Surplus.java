package dev.berth.activities.pool;

import dev.berth.activities.pool.IdleWorkers.Idle;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.PoolSize;
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

/** Which idle workers go first when there are too many: so that hosts become free, and the old do not stay for ever. */
final class Surplus {
    /** What goes in one look; the next one sees what is left. */
    private static final int AT_ONCE = 10;
    /** ECS describes at most this many tasks or hosts in one call. */
    private static final int DESCRIBED = 100;

    private final EcsClient ecs;
    private final String cluster;

    Surplus(EcsClient ecs, String cluster) {
        this.ecs = ecs;
        this.cluster = cluster;
    }

    /**
     * ARNs of those above the target: the oldest that is past its lifetime, then the youngest on the emptiest host.
     *
     * @param idle the oldest first
     */
    List<String> of(List<Idle> idle, PoolSize size) {
        int tooMany = Math.min(idle.size() - size.target(), AT_ONCE);
        if (tooMany <= 0) {
            return List.of();
        }
        List<Task> tasks = describe(idle);
        Map<String, Integer> load = load(tasks);
        Set<String> old = idle.stream()
                .filter(worker -> worker.isOlderThan(size.maximumLifetime()))
                .map(Idle::taskId)
                .collect(Collectors.toSet());
        Comparator<Task> emptiestHost = Comparator.comparing(task -> load.getOrDefault(task.containerInstanceArn(), 0));
        List<Task> tooOld = tasks.stream()
                .filter(task -> old.contains(id(task)))
                .sorted(Comparator.comparing(Task::createdAt))
                .toList();
        List<Task> others = tasks.stream()
                .filter(task -> !old.contains(id(task)))
                .sorted(emptiestHost
                        .thenComparing(Task::containerInstanceArn)
                        .thenComparing(Comparator.comparing(Task::createdAt).reversed()))
                .toList();
        List<Task> all = new ArrayList<>(tooOld);
        all.addAll(others);
        return all.stream().limit(tooMany).map(Task::taskArn).toList();
    }

    private List<Task> describe(List<Idle> idle) {
        List<Task> tasks = new ArrayList<>();
        for (List<Idle> some : hundreds(idle)) {
            List<String> ids = some.stream().map(Idle::taskId).toList();
            tasks.addAll(ecs.describeTasks(describe -> describe.cluster(cluster).tasks(ids))
                    .tasks());
        }
        return tasks.stream()
                .filter(task ->
                        task.containerInstanceArn() != null && task.lastStatus().equals("RUNNING"))
                .toList();
    }

    /** How many tasks each host has, users' among them. */
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
        return RedisKeys.taskId(task.taskArn());
    }

    static <T> List<List<T>> hundreds(List<T> all) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += DESCRIBED) {
            parts.add(all.subList(from, Math.min(from + DESCRIBED, all.size())));
        }
        return parts;
    }
}
