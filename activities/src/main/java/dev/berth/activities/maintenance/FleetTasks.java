package dev.berth.activities.maintenance;

import dev.berth.activities.group.FleetTaskRequests;
import dev.berth.activities.worker.EcsWorkerTasks;
import dev.berth.activities.worker.StopProof;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Batches;
import dev.berth.workflows.worker.TaskArns;
import dev.berth.workflows.worker.TaskDeath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.ListTasksResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * The workers' tasks in ECS. Reads only their families, since other services may share the cluster.
 * A failed page fails the whole read.
 */
final class FleetTasks {
    /** The limit of ECS for one call. */
    private static final int PAGE = 100;
    /** ECS sustains 20 such calls a second; the SDK retries throttled calls. */
    private static final int PARALLEL_CALLS = 8;

    /**
     * A running task without a heartbeat.
     *
     * @param userId of the start or the claim; null for an unclaimed pool worker
     * @param epoch of the start; 0 after a claim
     * @param createdAt since when a host has it; null while it waits for one
     */
    record RunningTask(
            String taskId,
            @Nullable UserId userId,
            long epoch,
            @Nullable Instant createdAt) {
        /** From the task to its heartbeat; the limit of a launch. */
        private static final Duration LAUNCH = Duration.ofSeconds(90);

        boolean isStarting(Instant now) {
            return createdAt == null || now.isBefore(createdAt.plus(LAUNCH));
        }
    }

    private final EcsClient ecs;
    private final FleetTaskRequests requests;

    FleetTasks(EcsClient ecs, FleetTaskRequests requests) {
        this.ecs = ecs;
        this.requests = requests;
    }

    /** Ids of the tasks that run or start, without those that are to stop. */
    Set<String> running() {
        Set<String> ids = new HashSet<>();
        requests.families().forEach(family -> addRunning(family, ids));
        return ids;
    }

    private void addRunning(String family, Set<String> ids) {
        String next = null;
        do {
            String token = next;
            ListTasksResponse page = ecs.listTasks(list -> list.cluster(requests.cluster())
                    .family(family)
                    .maxResults(PAGE)
                    .nextToken(token));
            page.taskArns().forEach(arn -> ids.add(TaskArns.id(arn)));
            next = page.nextToken();
        } while (next != null);
    }

    /** Describes the tasks that ECS knows. */
    List<Task> describe(Collection<String> taskIds) {
        List<Callable<List<Task>>> calls = new ArrayList<>();
        for (List<String> some : Batches.of(List.copyOf(taskIds), PAGE)) {
            calls.add(() -> ecs.describeTasks(
                            describe -> describe.cluster(requests.cluster()).tasks(some))
                    .tasks());
        }
        List<Task> all = new ArrayList<>();
        try (ExecutorService calling =
                Executors.newFixedThreadPool(PARALLEL_CALLS, Thread.ofVirtual().factory())) {
            for (Future<List<Task>> call : calling.invokeAll(calls)) {
                all.addAll(call.get());
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException(
                    "cannot describe the tasks of ECS: " + failed.getCause(), failed.getCause());
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted by a shutdown", shutdown);
        }
        return all;
    }

    /** Empty when ECS does not know the task. */
    Optional<Task> find(String taskId) {
        return describe(List.of(taskId)).stream().findFirst();
    }

    /** Whether the task is neither stopped nor to be stopped. */
    static boolean runs(Task task) {
        return "RUNNING".equals(task.desiredStatus()) && StopProof.of(task) == TaskDeath.ALIVE;
    }

    /**
     * Reads the user and epoch of a task.
     *
     * @param claimed user by id of a claimed task
     */
    static RunningTask running(Task task, Map<String, UserId> claimed) {
        String id = TaskArns.id(task.taskArn());
        Optional<UserId> startedFor = variable(task, "BERTH_USER_ID").flatMap(UserId::parse);
        long epoch = variable(task, "BERTH_EPOCH")
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
        Instant placed = EcsWorkerTasks.AWAITING_HOST.equals(task.lastStatus()) ? null : task.createdAt();
        return new RunningTask(id, startedFor.orElse(claimed.get(id)), epoch, placed);
    }

    private static Optional<String> variable(Task task, String name) {
        if (task.overrides() == null) {
            return Optional.empty();
        }
        return task.overrides().containerOverrides().stream()
                .map(ContainerOverride::environment)
                .flatMap(List::stream)
                .filter(variable -> name.equals(variable.name()))
                .map(KeyValuePair::value)
                .findFirst();
    }
}
