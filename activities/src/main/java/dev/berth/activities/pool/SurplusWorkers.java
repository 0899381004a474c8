package dev.berth.activities.pool;

import dev.berth.activities.launch.Host;
import dev.berth.activities.launch.WorkerHosts;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.activities.pool.IdleWorkers.IdleWorker;
import dev.berth.workflows.pool.PoolSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects the idle workers to retire: the expired first, then those on the emptiest hosts, to free
 * hosts.
 */
final class SurplusWorkers {
    /** Workers per check. */
    private static final int PER_CHECK = 10;

    /** A task without the time counts as the oldest: moto answers none. */
    private static final Comparator<WorkerTask> OLDEST_FIRST =
            Comparator.comparing(WorkerTask::createdAt, Comparator.nullsFirst(Comparator.naturalOrder()));

    private final WorkerLauncher launcher;
    private final WorkerHosts hosts;

    SurplusWorkers(WorkerLauncher launcher, WorkerHosts hosts) {
        this.launcher = launcher;
        this.hosts = hosts;
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
        List<WorkerTask> tasks = describe(idle);
        Map<String, Integer> load = load(tasks);
        Set<String> expired = idle.stream()
                .filter(worker -> worker.isOlderThan(size.maximumLifetime()))
                .map(IdleWorker::taskId)
                .collect(Collectors.toSet());
        Comparator<WorkerTask> emptiestHost = Comparator.comparing(task -> load.getOrDefault(task.host(), 0));
        List<WorkerTask> expiredTasks = tasks.stream()
                .filter(task -> expired.contains(task.id()))
                .sorted(OLDEST_FIRST)
                .toList();
        List<WorkerTask> others = tasks.stream()
                .filter(task -> !expired.contains(task.id()))
                .sorted(emptiestHost.thenComparing(WorkerTask::host).thenComparing(OLDEST_FIRST.reversed()))
                .toList();
        List<WorkerTask> all = new ArrayList<>(expiredTasks);
        all.addAll(others);
        return all.stream().limit(surplus).map(WorkerTask::arn).toList();
    }

    private List<WorkerTask> describe(List<IdleWorker> idle) {
        return launcher.describe(idle.stream().map(IdleWorker::taskId).toList()).stream()
                .filter(task -> task.host() != null && task.state() == WorkerTask.State.RUNNING)
                .toList();
    }

    /** Number of tasks on each host, including those of users. */
    private Map<String, Integer> load(List<WorkerTask> tasks) {
        Set<String> used = tasks.stream().map(WorkerTask::host).collect(Collectors.toSet());
        return hosts.describe(used).stream().collect(Collectors.toMap(Host::arn, Host::tasks));
    }
}
