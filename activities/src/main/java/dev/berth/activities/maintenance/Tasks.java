package dev.berth.activities.maintenance;

import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Batches;
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
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.ListTasksResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * The workers' tasks in ECS, of their family alone: other services may share the cluster. Any page that fails fails the
 * whole read.
 */
final class Tasks {
    /** ECS lists and describes at most this many in one call. */
    private static final int PAGE = 100;
    /** ECS allows 20 such calls a second for long; the SDK repeats what is throttled. */
    private static final int AT_ONCE = 8;

    private final EcsClient ecs;
    private final WorkerTaskRequests requests;

    Tasks(EcsClient ecs, WorkerTaskRequests requests) {
        this.ecs = ecs;
        this.requests = requests;
    }

    /** Ids of those that run or begin to. Whoever is told to stop is not among them. */
    Set<String> running() {
        String family = family(requests.taskDefinition());
        Set<String> ids = new HashSet<>();
        String next = null;
        do {
            String token = next;
            ListTasksResponse page = ecs.listTasks(list -> list.cluster(requests.cluster())
                    .family(family)
                    .maxResults(PAGE)
                    .nextToken(token));
            page.taskArns().forEach(arn -> ids.add(RedisKeys.taskId(arn)));
            next = page.nextToken();
        } while (next != null);
        return ids;
    }

    /** Of an ARN or a name, with a revision or without. */
    private static String family(String taskDefinition) {
        return taskDefinition.substring(taskDefinition.lastIndexOf('/') + 1).replaceFirst(":\\d+$", "");
    }

    /** Those that ECS knows; some hundreds at a time, several calls at once. */
    List<Task> describe(Collection<String> taskIds) {
        List<Callable<List<Task>>> calls = new ArrayList<>();
        for (List<String> some : Batches.of(List.copyOf(taskIds), PAGE)) {
            calls.add(() -> ecs.describeTasks(
                            describe -> describe.cluster(requests.cluster()).tasks(some))
                    .tasks());
        }
        List<Task> all = new ArrayList<>();
        try (ExecutorService calling =
                Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            for (Future<List<Task>> call : calling.invokeAll(calls)) {
                all.addAll(call.get());
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("ECS did not describe its tasks: " + failed.getCause(), failed.getCause());
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted by a shutdown", shutdown);
        }
        return all;
    }

    /** Empty when ECS does not know it. */
    Optional<Task> find(String taskId) {
        return describe(List.of(taskId)).stream().findFirst();
    }

    /** Whether it is there and neither stopped nor told to. */
    static boolean runs(Task task) {
        return "RUNNING".equals(task.desiredStatus()) && !isStopped(task);
    }

    static boolean isStopped(Task task) {
        return "STOPPED".equals(task.lastStatus());
    }

    /**
     * As a view tells of it.
     *
     * @param claimed who claimed which task
     */
    static RunningTask running(Task task, Map<String, UserId> claimed) {
        String id = RedisKeys.taskId(task.taskArn());
        Optional<UserId> startedFor = variable(task, "BERTH_USER_ID").flatMap(UserId::parse);
        long epoch = variable(task, "BERTH_EPOCH")
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
        return new RunningTask(id, startedFor.orElse(claimed.get(id)), epoch, task.createdAt());
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
