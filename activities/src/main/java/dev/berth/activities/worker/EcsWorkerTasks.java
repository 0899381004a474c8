package dev.berth.activities.worker;

import dev.berth.workflows.Pauses;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/** ECS tasks that were started for one user. */
public final class EcsWorkerTasks implements WorkerTasks {
    /** ECS has no call that waits. A stop takes up to two seconds, and its successor waits for it. */
    private static final Duration FIRST_LOOK = Duration.ofMillis(100);

    private static final Duration LAST_LOOK = Duration.ofMillis(500);

    /** Characters that {@code StopTask} takes, as its reference says. */
    private static final int LONGEST_REASON = 255;

    /**
     * ECS forgets a stopped task after an hour at the soonest, and may not know a new one yet: its calls see each other's
     * effects within five minutes, as the reference of {@code RunTask} says. A task that ECS does not know so long after
     * its stop was asked for has stopped.
     */
    private static final Duration FORGOTTEN = Duration.ofMinutes(5);

    private final EcsClient ecs;
    private final WorkerTaskRequests requests;
    private final TaskLaunch launch;
    private final InstantSource clock;

    public EcsWorkerTasks(EcsClient ecs, WorkerTaskRequests requests, TaskLaunch launch, InstantSource clock) {
        this.ecs = ecs;
        this.requests = requests;
        this.launch = launch;
        this.clock = clock;
    }

    @Override
    public String run(UserId userId, long epoch, String clientToken) {
        RunTaskResponse answer = launch.run(requests.forUser(userId, epoch, clientToken));
        if (answer.tasks().isEmpty()) {
            String why = answer.failures().isEmpty()
                    ? "no reason given"
                    : answer.failures().getFirst().reason();
            throw ApplicationFailure.newFailure("No host has room for the worker of " + userId + ": " + why, NO_ROOM);
        }
        return answer.tasks().getFirst().taskArn();
    }

    @Override
    public void stop(String taskArn, String reason) {
        try {
            String shortened = reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
            ecs.stopTask(stop -> stop.cluster(clusterOf(taskArn)).task(taskArn).reason(shortened));
            ActivityExecutionContext context = Activity.getExecutionContext();
            Pauses pauses = new Pauses(FIRST_LOOK, LAST_LOOK);
            while (!isStopped(taskArn)) {
                context.heartbeat(null);
                Thread.sleep(pauses.next());
            }
        } catch (InvalidParameterException refused) {
            proveStopped(taskArn, refused);
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw ApplicationFailure.newFailure("interrupted by a shutdown", "interrupted");
        }
    }

    /** A refused stop is no proof, unless the task has stopped or is long unknown. */
    private void proveStopped(String taskArn, InvalidParameterException refused) {
        Optional<Task> task = find(taskArn);
        if (task.isPresent() && !hasStopped(task.get())) {
            throw refused;
        }
        Instant since =
                Instant.ofEpochMilli(Activity.getExecutionContext().getInfo().getScheduledTimestamp());
        if (task.isEmpty() && clock.instant().isBefore(since.plus(FORGOTTEN))) {
            throw ApplicationFailure.newFailure(
                    "ECS does not know " + taskArn + ". That proves that it stopped only after " + FORGOTTEN.toMinutes()
                            + " min",
                    "unknown-task");
        }
    }

    @Override
    public boolean isStopped(String taskArn) {
        return find(taskArn).filter(EcsWorkerTasks::hasStopped).isPresent();
    }

    private Optional<Task> find(String taskArn) {
        return ecs
                .describeTasks(describe -> describe.cluster(clusterOf(taskArn)).tasks(taskArn))
                .tasks()
                .stream()
                .findFirst();
    }

    private static boolean hasStopped(Task task) {
        return "STOPPED".equals(task.lastStatus());
    }

    /** {@code arn:aws:ecs:region:account:task/cluster/id}: another cluster than the one in use now does not know it. */
    private static String clusterOf(String taskArn) {
        int end = taskArn.lastIndexOf('/');
        return taskArn.substring(taskArn.indexOf('/') + 1, end);
    }
}
