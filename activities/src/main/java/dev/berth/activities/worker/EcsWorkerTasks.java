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

    /**
     * One attempt waits so long; those that follow look once, and leave their place to others meanwhile. Of a host that is
     * cut off all tasks are to be stopped, and none stops.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
    /** Later: by then the task is on the way to be replaced without proof, and ECS allows 20 such calls a second. */
    private static final Duration LOOK_LATER = Duration.ofSeconds(30);

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
            long begun = System.nanoTime();
            while (!isStopped(taskArn)) {
                if (context.getInfo().getAttempt() > 1 || System.nanoTime() - begun >= PATIENCE.toNanos()) {
                    throw notYet(taskArn);
                }
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

    private ApplicationFailure notYet(String taskArn) {
        boolean late = sinceScheduled().compareTo(LOOK_LATER) >= 0;
        return ApplicationFailure.newBuilder()
                .setMessage("ECS has not stopped " + taskArn + " yet")
                .setType("not-stopped-yet")
                .setNextRetryDelay(late ? LOOK_LATER : LOOK_AGAIN)
                .build();
    }

    /** Since the first attempt was asked for. */
    private Duration sinceScheduled() {
        long scheduled = Activity.getExecutionContext().getInfo().getScheduledTimestamp();
        return Duration.between(Instant.ofEpochMilli(scheduled), clock.instant());
    }

    /** A refused stop is no proof, unless the task has stopped or is long unknown. */
    private void proveStopped(String taskArn, InvalidParameterException refused) {
        Optional<Task> task = find(taskArn);
        if (task.isPresent() && !hasStopped(task.get())) {
            throw refused;
        }
        if (task.isEmpty() && sinceScheduled().compareTo(FORGOTTEN) < 0) {
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
