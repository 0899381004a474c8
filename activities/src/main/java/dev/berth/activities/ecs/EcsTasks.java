package dev.berth.activities.ecs;

import dev.berth.activities.launch.WorkerTask;
import dev.berth.activities.launch.WorkerTask.Owner;
import dev.berth.activities.launch.WorkerTask.State;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import java.util.Optional;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.Task;

/** Reads a worker's task from what ECS says of it. */
final class EcsTasks {
    private EcsTasks() {}

    static WorkerTask workerTask(Task task) {
        return new WorkerTask(
                task.taskArn(),
                task.taskDefinitionArn(),
                owner(task),
                value(task, RunTaskRequests.USER).flatMap(UserId::parse).orElse(null),
                value(task, RunTaskRequests.EPOCH)
                        .filter(text -> text.matches("\\d{1,18}"))
                        .map(Long::parseLong)
                        .orElse(0L),
                value(task, RunTaskRequests.GROUP).flatMap(UserGroup::parse).orElse(UserGroup.DEFAULT),
                state(task),
                "RUNNING".equals(task.desiredStatus()),
                StopProof.of(task),
                task.stopCode() == null && task.stoppedReason() == null
                        ? ""
                        : task.stopCodeAsString() + ": " + task.stoppedReason(),
                task.containerInstanceArn(),
                task.createdAt());
    }

    private static Owner owner(Task task) {
        boolean isPoolWorker = value(task, RunTaskRequests.USER)
                .filter(RedisKeys.POOL_USER::equals)
                .isPresent();
        return switch (task.startedBy()) {
            case RunTaskRequests.LIFECYCLE -> Owner.LIFECYCLE;
            case RunTaskRequests.POOL -> isPoolWorker ? Owner.POOL : Owner.OTHER;
            case null, default -> Owner.OTHER;
        };
    }

    /** See the developer guide of ECS, "Task lifecycle". */
    private static State state(Task task) {
        return switch (task.lastStatus()) {
            case "PROVISIONING" -> State.AWAITING_HOST;
            case "PENDING", "ACTIVATING" -> State.STARTING;
            case "RUNNING" -> State.RUNNING;
            case "STOPPED" -> State.STOPPED;
            case null, default -> State.STOPPING;
        };
    }

    private static Optional<String> value(Task task, String name) {
        if (task.overrides() == null) {
            return Optional.empty();
        }
        return task.overrides().containerOverrides().stream()
                .flatMap(container -> container.environment().stream())
                .filter(variable -> name.equals(variable.name()))
                .map(KeyValuePair::value)
                .findFirst();
    }
}
