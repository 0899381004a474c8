package dev.berth.activities.worker;

import dev.berth.workflows.Pauses;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
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

    private final EcsClient ecs;
    private final WorkerTaskRequests requests;
    private final TaskLaunch launch;

    public EcsWorkerTasks(EcsClient ecs, WorkerTaskRequests requests, TaskLaunch launch) {
        this.ecs = ecs;
        this.requests = requests;
        this.launch = launch;
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
            ecs.stopTask(stop -> stop.cluster(requests.cluster()).task(taskArn).reason(shortened));
            ActivityExecutionContext context = Activity.getExecutionContext();
            Pauses pauses = new Pauses(FIRST_LOOK, LAST_LOOK);
            while (!isStopped(taskArn)) {
                context.heartbeat(null);
                Thread.sleep(pauses.next());
            }
        } catch (InvalidParameterException invalid) {
            // ECS forgets stopped tasks after an hour. Anything else is no proof that it is dead.
            if (!isStopped(taskArn)) {
                throw invalid;
            }
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw ApplicationFailure.newFailure("interrupted by a shutdown", "interrupted");
        }
    }

    @Override
    public boolean isStopped(String taskArn) {
        List<Task> tasks = ecs.describeTasks(
                        describe -> describe.cluster(requests.cluster()).tasks(taskArn))
                .tasks();
        return tasks.isEmpty() || tasks.getFirst().lastStatus().equals("STOPPED");
    }
}
