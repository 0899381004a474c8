package dev.berth.activities.maintenance;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.worker.WorkerPhase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.ecs.model.Task;

/** Reads the fleet. Only tasks that are not as they should be are described, so a healthy fleet costs a list alone. */
record FleetReading(Marks marks, Tasks tasks, FleetIndex index, InstantSource clock) {
    private static final Logger LOG = LoggerFactory.getLogger(FleetReading.class);

    /** Tasks before marks, so that whoever begins or ends meanwhile looks too young, or gone, rather than orphaned. */
    FleetView read() {
        try (ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
            return read(
                    CompletableFuture.supplyAsync(() -> timed("lifecycles", index::lifecycles), beside),
                    CompletableFuture.supplyAsync(() -> timed("orders", index::orders), beside),
                    CompletableFuture.supplyAsync(() -> timed("abandoned orders", index::abandoned), beside));
        }
    }

    /** The index is late in any case, so it is read meanwhile. */
    private FleetView read(
            CompletableFuture<Map<UserId, WorkerPhase>> lifecycles,
            CompletableFuture<Map<UserId, ClientOrderId>> orders,
            CompletableFuture<List<OrderId>> abandoned) {
        Set<String> running = timed("tasks", tasks::running);
        Marks.All marked = timed("marks", marks::all);
        Set<String> marksOfTasks = new HashSet<>(marked.pool());
        marksOfTasks.addAll(marked.users().values());

        List<String> unmarked =
                running.stream().filter(task -> !marksOfTasks.contains(task)).toList();
        Set<String> gone = marked.users().values().stream()
                .filter(task -> !running.contains(task))
                .collect(Collectors.toSet());
        List<Task> described = tasks.describe(gone);
        Set<String> stopped = described.stream()
                .filter(Tasks::isStopped)
                .map(FleetReading::id)
                .collect(Collectors.toSet());
        Set<String> unknown = new HashSet<>(gone);
        described.forEach(task -> unknown.remove(id(task)));

        return new FleetView(
                marked.users(),
                running,
                grownUp(unmarked),
                stopped,
                unknown,
                lifecycles.join(),
                orders.join(),
                abandoned.join());
    }

    private List<RunningTask> grownUp(List<String> unmarked) {
        Map<String, UserId> claimed = marks.usersOf(unmarked);
        Instant now = clock.instant();
        return tasks.describe(unmarked).stream()
                .filter(Tasks::runs)
                .map(task -> Tasks.running(task, claimed))
                .filter(task -> !task.isYoung(now))
                .toList();
    }

    /** So that a slow sweep shows which of the servers is slow. */
    private static <T> T timed(String what, Supplier<T> read) {
        long begun = System.nanoTime();
        T all = read.get();
        LOG.debug("read all {} in {} ms", what, (System.nanoTime() - begun) / 1_000_000);
        return all;
    }

    private static String id(Task task) {
        return RedisKeys.taskId(task.taskArn());
    }
}
