package dev.berth.activities.worker;

import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ConflictException;
import software.amazon.awssdk.services.ecs.model.EcsException;
import software.amazon.awssdk.services.ecs.model.Failure;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/** ECS {@code RunTask}, whose ways to say "no room" are made one, and which is held while an image keeps failing. */
public final class TaskLaunch {
    /** ECS has no error code of its own for a cluster without hosts, such as before the scaling group adds the first. */
    private static final String NO_HOSTS = "No Container Instances were found";

    /** What is held is asked for again at different moments. */
    private static final long SPREAD_MILLIS = 5_000;

    private final EcsClient ecs;
    private final LaunchHealth health;

    public TaskLaunch(EcsClient ecs, LaunchHealth health) {
        this.ecs = ecs;
        this.health = health;
    }

    /**
     * Starts what fits. What does not is a failure in the answer, not an exception.
     *
     * @throws ApplicationFailure {@link WorkerTasks#LAUNCHES_HELD}, with the time after which to try again; or ECS
     *     refuses this launch for another reason than room
     */
    public RunTaskResponse run(RunTaskRequest request) {
        boolean isHeld = health.held() > 0;
        // Once, so that what is permitted is judged too, though ECS may not answer any more by then.
        String version = isHeld ? resolved(request.taskDefinition()) : request.taskDefinition();
        RunTaskRequest permitted = isHeld ? permitted(request, version) : request;
        try {
            RunTaskResponse answer = ask(permitted);
            judge(version, answer);
            return answer;
        } catch (SdkException failed) {
            if (isOfTheLaunch(failed)) {
                health.refused(resolved(version));
            } else {
                health.unjudged(resolved(version));
            }
            throw failed;
        }
    }

    /** ECS away, too busy or at fault says nothing about what was to be launched. */
    private static boolean isOfTheLaunch(SdkException failed) {
        return failed instanceof EcsException refused && refused.statusCode() < 500 && !refused.isThrottlingException();
    }

    /** One task alone shows whether an image comes up again. */
    private RunTaskRequest permitted(RunTaskRequest request, String version) {
        if (!health.permits(version)) {
            Duration again = health.heldStill(version)
                    .plusMillis(ThreadLocalRandom.current().nextLong(SPREAD_MILLIS));
            throw ApplicationFailure.newBuilder()
                    .setMessage("Launches of " + version + " are held: most of the last ones came to nothing")
                    .setType(WorkerTasks.LAUNCHES_HELD)
                    .setNextRetryDelay(again)
                    .build();
        }
        return health.isOnTrial(version) ? request.toBuilder().count(1).build() : request;
    }

    private RunTaskResponse ask(RunTaskRequest request) {
        try {
            return ecs.runTask(request);
        } catch (ConflictException launched) {
            return earlier(request, launched.resourceIds());
        } catch (InvalidParameterException invalid) {
            if (!String.valueOf(invalid.getMessage()).contains(NO_HOSTS)) {
                throw invalid;
            }
            Failure noHost = Failure.builder().reason("RESOURCE:HOST").build();
            return RunTaskResponse.builder().failures(noHost).build();
        }
    }

    /** An attempt whose answer was lost had launched them, and the request has changed since, such as by a deployment. */
    private RunTaskResponse earlier(RunTaskRequest request, List<String> taskArns) {
        List<Task> tasks = ecs.describeTasks(
                        describe -> describe.cluster(request.cluster()).tasks(taskArns))
                .tasks();
        return RunTaskResponse.builder().tasks(tasks).build();
    }

    private void judge(String version, RunTaskResponse answer) {
        if (!answer.tasks().isEmpty()) {
            List<String> tasks = answer.tasks().stream().map(Task::taskArn).toList();
            health.started(answer.tasks().getFirst().taskDefinitionArn(), tasks);
        } else if (answer.failures().stream().allMatch(TaskLaunch::isNoRoom)) {
            if (health.held() > 0) {
                health.unjudged(resolved(version));
            }
        } else {
            health.refused(resolved(version));
            throw ApplicationFailure.newFailure(
                    "ECS does not launch a worker: "
                            + answer.failures().getFirst().reason(),
                    "launch-refused");
        }
    }

    /** A host without an agent is as good as none. */
    private static boolean isNoRoom(Failure failure) {
        String reason = String.valueOf(failure.reason());
        return reason.startsWith("RESOURCE:") || reason.equals("AGENT");
    }

    /** The revision that a family means now; asked for only when something is wrong. */
    private String resolved(String taskDefinition) {
        try {
            return ecs.describeTaskDefinition(describe -> describe.taskDefinition(taskDefinition))
                    .taskDefinition()
                    .taskDefinitionArn();
        } catch (SdkException unknown) {
            return taskDefinition;
        }
    }
}
