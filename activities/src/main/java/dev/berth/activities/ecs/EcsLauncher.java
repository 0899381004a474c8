package dev.berth.activities.ecs;

import static java.util.stream.Collectors.groupingBy;

import dev.berth.activities.launch.LaunchOutcome;
import dev.berth.activities.launch.LaunchRequest;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.LauncherException;
import dev.berth.activities.launch.UnknownTaskException;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.workflows.worker.TaskArns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ClusterNotFoundException;
import software.amazon.awssdk.services.ecs.model.ConflictException;
import software.amazon.awssdk.services.ecs.model.Failure;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * ECS. Lists only the families of workers, since other services may share the cluster. A failed
 * page fails the whole read.
 */
final class EcsLauncher implements WorkerLauncher {
    /**
     * ECS has no error code for a cluster without hosts, for example before the scaling group adds
     * the first.
     */
    private static final String NO_HOSTS = "No Container Instances were found";

    private final EcsClient ecs;
    private final LaunchTargets targets;

    /** @param targets name the cluster and the families */
    EcsLauncher(EcsClient ecs, LaunchTargets targets) {
        this.ecs = ecs;
        this.targets = targets;
    }

    @Override
    public LaunchOutcome launch(LaunchRequest launch) {
        RunTaskRequest request = RunTaskRequests.of(launch);
        return EcsRequests.call(() -> {
            try {
                return outcome(ecs.runTask(request));
            } catch (ConflictException launched) {
                return earlier(request, launched.resourceIds());
            } catch (InvalidParameterException invalid) {
                if (!String.valueOf(invalid.getMessage()).contains(NO_HOSTS)) {
                    throw invalid;
                }
                return new LaunchOutcome.NoRoom("RESOURCE:HOST");
            }
        });
    }

    private static LaunchOutcome outcome(RunTaskResponse answer) {
        if (!answer.tasks().isEmpty()) {
            return started(answer.tasks().getFirst());
        }
        String reason =
                answer.failures().stream().findFirst().map(Failure::reason).orElse("no reason given");
        if (answer.failures().stream().allMatch(EcsLauncher::isNoRoom)) {
            return new LaunchOutcome.NoRoom(reason);
        }
        throw new LauncherException("ECS does not launch a worker: " + reason);
    }

    /** A host without an agent has no room. */
    private static boolean isNoRoom(Failure failure) {
        String reason = String.valueOf(failure.reason());
        return reason.startsWith("RESOURCE:") || reason.equals("AGENT");
    }

    /**
     * An earlier attempt launched the task and its response was lost; a deployment changed the
     * request since.
     */
    private LaunchOutcome earlier(RunTaskRequest request, List<String> taskArns) {
        return describe(request.cluster(), taskArns).stream()
                .findFirst()
                .map(EcsLauncher::started)
                .orElseGet(() -> new LaunchOutcome.NoRoom("no reason given"));
    }

    private static LaunchOutcome started(Task task) {
        return new LaunchOutcome.Started(task.taskArn(), task.taskDefinitionArn());
    }

    @Override
    public void stop(String task, String reason) {
        ofTask(
                task,
                () -> ecs.stopTask(
                        stop -> stop.cluster(clusterOf(task)).task(task).reason(reason)));
    }

    @Override
    public Optional<WorkerTask> find(String task) {
        try {
            return ofTask(task, () -> describe(clusterOf(task), List.of(task))).stream()
                    .findFirst()
                    .map(EcsTasks::workerTask);
        } catch (UnknownTaskException noTask) {
            return Optional.empty();
        }
    }

    /** The configured cluster must exist; one that a task's ARN names may be gone. */
    private <T> T ofTask(String task, Supplier<T> call) {
        return EcsRequests.call(() -> {
            try {
                return call.get();
            } catch (InvalidParameterException noTask) {
                throw new UnknownTaskException(noTask);
            } catch (ClusterNotFoundException noCluster) {
                throw clusterOf(task).equals(targets.cluster()) ? noCluster : new UnknownTaskException(noCluster);
            }
        });
    }

    @Override
    public List<WorkerTask> describe(Collection<String> tasks) {
        List<WorkerTask> all = new ArrayList<>();
        Map<String, List<String>> byCluster = tasks.stream().collect(groupingBy(this::clusterOf));
        byCluster.forEach((cluster, some) -> EcsRequests.inBatches(some, batch -> describe(cluster, batch))
                .forEach(task -> all.add(EcsTasks.workerTask(task))));
        return all;
    }

    private List<Task> describe(String cluster, List<String> tasks) {
        return ecs.describeTasks(describe -> describe.cluster(cluster).tasks(tasks))
                .tasks();
    }

    @Override
    public Set<String> running() {
        Set<String> ids = new HashSet<>();
        for (String family : targets.families()) {
            ids.addAll(EcsRequests.call(() -> ecs
                    .listTasksPaginator(list ->
                            list.cluster(targets.cluster()).family(family).maxResults(EcsRequests.PAGE))
                    .taskArns()
                    .stream()
                    .map(TaskArns::id)
                    .toList()));
        }
        return ids;
    }

    @Override
    public String revision(String taskDefinition) {
        return EcsRequests.call(() -> ecs.describeTaskDefinition(describe -> describe.taskDefinition(taskDefinition))
                .taskDefinition()
                .taskDefinitionArn());
    }

    /**
     * From {@code arn:aws:ecs:region:account:task/cluster/id}: the task may be in an earlier
     * cluster. What a person typed need not be an ARN: ECS knows no task of that id.
     */
    private String clusterOf(String task) {
        String[] parts = task.split("/", -1);
        return parts.length == 3 ? parts[1] : targets.cluster();
    }
}
