package dev.berth.activities.worker;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.PoolNames;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ConflictException;
import software.amazon.awssdk.services.ecs.model.EcsException;
import software.amazon.awssdk.services.ecs.model.Failure;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/**
 * ECS {@code RunTask} behind the launch circuit. All forms of "no room" become failures in the
 * response.
 */
public final class TaskLaunch {
    /**
     * ECS has no error code for a cluster without hosts, for example before the scaling group adds
     * the first.
     */
    private static final String NO_HOSTS = "No Container Instances were found";

    /** Spreads the retries of delayed launches. */
    private static final long JITTER_MILLIS = 5_000;

    private final EcsClient ecs;
    private final LaunchCircuitBreaker circuit;
    private final @Nullable TaskEnrolments enrolments;
    private final LaunchListener listener;

    /** Launches tasks that cannot enrol at a worker gateway. */
    public TaskLaunch(EcsClient ecs, LaunchCircuitBreaker circuit) {
        this(ecs, circuit, null, LaunchListener.NONE);
    }

    public TaskLaunch(
            EcsClient ecs, LaunchCircuitBreaker circuit, @Nullable TaskEnrolments enrolments, LaunchListener listener) {
        this.ecs = ecs;
        this.circuit = circuit;
        this.enrolments = enrolments;
        this.listener = listener;
    }

    /**
     * As {@link #run(RunTaskRequest)}, for a task that may enrol.
     *
     * @param claim whom it serves: {@link RedisKeys#claim} or {@link PoolNames#user}
     */
    public RunTaskResponse run(RunTaskRequest request, String claim) {
        if (enrolments == null) {
            return run(request);
        }
        RunTaskResponse answer = run(enrolments.withSecret(request));
        for (Task task : answer.tasks()) {
            enrolments.record(request.clientToken(), task.taskArn(), claim);
        }
        return answer;
    }

    /**
     * Starts the one task that is requested. The response, not an exception, reports that no host
     * has room.
     *
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#LAUNCH_CIRCUIT_OPEN}, with
     *     the time after which to try again; or ECS refuses this launch for another reason than
     *     room
     */
    public RunTaskResponse run(RunTaskRequest request) {
        boolean isCircuitInUse = circuit.countNotClosed() > 0;
        // Resolved once: the permit and its result must name the same version, even if ECS fails in
        // between.
        String version = isCircuitInUse ? resolved(request.taskDefinition()) : request.taskDefinition();
        if (isCircuitInUse) {
            requirePermit(version);
        }
        try {
            RunTaskResponse answer = ask(request);
            record(version, answer);
            return answer;
        } catch (SdkException failed) {
            listener.launched(LaunchResult.FAILED, 1);
            if (isCausedByRequest(failed)) {
                circuit.refused(resolved(version));
            } else {
                circuit.release(resolved(version));
            }
            throw failed;
        }
    }

    /** An outage, throttling or a server error of ECS is no failure of the image. */
    private static boolean isCausedByRequest(SdkException failed) {
        return failed instanceof EcsException refused && refused.statusCode() < 500 && !refused.isThrottlingException();
    }

    /** A half-open circuit launches a single task. */
    private void requirePermit(String version) {
        if (!circuit.tryAcquire(version)) {
            Duration again = circuit.remainingDelay(version)
                    .plusMillis(ThreadLocalRandom.current().nextLong(JITTER_MILLIS));
            listener.launched(LaunchResult.CIRCUIT_OPEN, 1);
            throw FailureType.LAUNCH_CIRCUIT_OPEN.failure(
                    "The launch circuit of " + version + " is open: most of the last launches failed", again);
        }
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

    /**
     * An earlier attempt launched these tasks and its response was lost; a deployment changed the
     * request since.
     */
    private RunTaskResponse earlier(RunTaskRequest request, List<String> taskArns) {
        List<Task> tasks = ecs.describeTasks(
                        describe -> describe.cluster(request.cluster()).tasks(taskArns))
                .tasks();
        return RunTaskResponse.builder().tasks(tasks).build();
    }

    private void record(String version, RunTaskResponse answer) {
        long withoutRoom =
                answer.failures().stream().filter(TaskLaunch::isNoRoom).count();
        report(LaunchResult.STARTED, answer.tasks().size());
        report(LaunchResult.NO_ROOM, withoutRoom);
        report(LaunchResult.REFUSED, answer.failures().size() - withoutRoom);
        if (!answer.tasks().isEmpty()) {
            List<String> tasks = answer.tasks().stream().map(Task::taskArn).toList();
            circuit.launched(answer.tasks().getFirst().taskDefinitionArn(), tasks);
        } else if (answer.failures().stream().allMatch(TaskLaunch::isNoRoom)) {
            if (circuit.countNotClosed() > 0) {
                circuit.release(resolved(version));
            }
        } else {
            circuit.refused(resolved(version));
            throw FailureType.LAUNCH_REFUSED.failure("ECS does not launch a worker: "
                    + answer.failures().getFirst().reason());
        }
    }

    private void report(LaunchResult result, long tasks) {
        if (tasks > 0) {
            listener.launched(result, tasks);
        }
    }

    /** A host without an agent has no room. */
    private static boolean isNoRoom(Failure failure) {
        String reason = String.valueOf(failure.reason());
        return reason.startsWith("RESOURCE:") || reason.equals("AGENT");
    }

    /** The current revision of a family. */
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
