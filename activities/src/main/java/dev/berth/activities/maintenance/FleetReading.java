package dev.berth.activities.maintenance;

import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.temporal.client.OrderIndex.RunningOrders;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.worker.TaskDeath;
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
import org.springframework.dao.DataAccessException;

/**
 * Reads the fleet. Describes only tasks with a possible drift, so a healthy fleet costs one list of
 * tasks.
 */
record FleetReading(HeartbeatKeys heartbeats, WorkerLauncher launcher, FleetIndex index, InstantSource clock) {
    /**
     * Lifecycles and orders by visibility, and what PostgreSQL has.
     *
     * @param lifecycles the phase of each running lifecycle
     * @param orders those whose workflow runs
     * @param abandoned open orders whose last run was aborted
     */
    record FleetIndex(
            Supplier<Map<UserId, WorkerPhase>> lifecycles,
            Supplier<RunningOrders> orders,
            Supplier<List<OrderId>> abandoned,
            Supplier<RecordedFleet> recorded) {}

    private static final Logger LOG = LoggerFactory.getLogger(FleetReading.class);

    /**
     * Reads tasks before heartbeats, so that a task that starts or stops meanwhile does not seem to
     * be orphaned.
     */
    FleetSnapshot read() {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<RunningOrders> orders =
                    CompletableFuture.supplyAsync(() -> timed("orders", index.orders), executor);
            return read(
                    CompletableFuture.supplyAsync(() -> timed("lifecycles", index.lifecycles), executor),
                    orders,
                    CompletableFuture.supplyAsync(() -> timed("abandoned orders", index.abandoned), executor),
                    // After the workflows: by then the row of an order that has ended is final.
                    orders.thenApplyAsync(running -> recorded().without(running.all()), executor));
        }
    }

    /** A row that is not read hides a drift and makes none, so a sweep works without PostgreSQL. */
    private RecordedFleet recorded() {
        try {
            return timed("PostgreSQL", index.recorded);
        } catch (DataAccessException unavailable) {
            LOG.warn("sweep without PostgreSQL: {}", unavailable.getMessage());
            return RecordedFleet.NOTHING;
        }
    }

    /** Visibility is late in any case, so it is read in parallel. */
    private FleetSnapshot read(
            CompletableFuture<Map<UserId, WorkerPhase>> lifecycles,
            CompletableFuture<RunningOrders> orders,
            CompletableFuture<List<OrderId>> abandoned,
            CompletableFuture<RecordedFleet> recorded) {
        Set<String> running = timed("tasks", launcher::running);
        HeartbeatKeys.All keys = timed("heartbeats", heartbeats::all);
        Set<String> tasksWithHeartbeat = new HashSet<>(keys.pool());
        tasksWithHeartbeat.addAll(keys.users().values());

        List<String> withoutHeartbeat = running.stream()
                .filter(task -> !tasksWithHeartbeat.contains(task))
                .toList();
        Set<String> notRunning = keys.users().values().stream()
                .filter(task -> !running.contains(task))
                .collect(Collectors.toSet());
        List<WorkerTask> described = launcher.describe(notRunning);
        Set<String> stopped = idsOf(described, TaskDeath.PROVEN);
        Set<String> unconfirmed = new HashSet<>(notRunning);
        described.forEach(task -> unconfirmed.remove(task.id()));
        unconfirmed.addAll(idsOf(described, TaskDeath.UNCONFIRMED));

        return new FleetSnapshot(
                keys.users(),
                running,
                runningWithoutHeartbeat(withoutHeartbeat),
                stopped,
                unconfirmed,
                lifecycles.join(),
                orders.join().openByUser(),
                abandoned.join(),
                recorded.join());
    }

    private static Set<String> idsOf(List<WorkerTask> described, TaskDeath death) {
        return described.stream()
                .filter(task -> task.death() == death)
                .map(WorkerTask::id)
                .collect(Collectors.toSet());
    }

    private List<RunningTask> runningWithoutHeartbeat(List<String> taskIds) {
        Map<String, UserId> claimed = heartbeats.usersOf(taskIds);
        Instant now = clock.instant();
        return launcher.describe(taskIds).stream()
                .filter(WorkerTask::runs)
                .map(task -> RunningTask.of(task, claimed))
                .filter(task -> !task.isStarting(now))
                .toList();
    }

    /** Shows which server is slow. */
    private static <T> T timed(String what, Supplier<T> read) {
        long start = System.nanoTime();
        T all = read.get();
        LOG.debug("read {} in {} ms", what, (System.nanoTime() - start) / 1_000_000);
        return all;
    }
}
