package dev.berth.activities.worker;

import dev.berth.activities.launch.LaunchOutcome.NoRoom;
import dev.berth.activities.launch.LaunchOutcome.Started;
import dev.berth.activities.launch.LaunchRequest;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.launch.UnknownTaskException;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.launch.WorkerTask;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.TaskDeath;
import dev.berth.workflows.worker.WorkerTasks;
import io.lettuce.core.RedisException;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs and stops the task of one user. */
public final class LauncherWorkerTasks implements WorkerTasks {
    private static final Logger LOG = LoggerFactory.getLogger(LauncherWorkerTasks.class);
    /**
     * ECS has no blocking call. A stop takes up to two seconds, and the next worker waits for the
     * stop.
     */
    private static final Duration FIRST_POLL = Duration.ofMillis(100);

    private static final Duration LAST_POLL = Duration.ofMillis(500);

    /**
     * The first attempt polls for this time; later attempts poll once, and free their slot for
     * other activities. All tasks of an unreachable host are to be stopped, and none stops.
     */
    private static final Duration POLL_TIME = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofSeconds(2);
    /** By then the task is replaced without proof; ECS allows 20 such calls a second. */
    private static final Duration RETRY_LATER = Duration.ofSeconds(30);

    /** The limit of {@code StopTask}. */
    private static final int REASON_LENGTH = 255;

    /**
     * ECS keeps a stopped task for an hour at least, and may not know a new task yet: the reference
     * of {@code RunTask} says that calls are consistent within five minutes. A task that is unknown
     * this long after the request to stop has stopped, unless ECS reported {@code STOPPED} without
     * proof.
     */
    private static final Duration UNKNOWN_IS_STOPPED_AFTER = Duration.ofMinutes(5);

    private static final Pattern TASK_ARN = Pattern.compile("arn:[^:]+:ecs:[^:]*:[^:]*:task/[^/]+/[^/]+");

    private final WorkerLauncher launcher;
    private final Function<UserId, LaunchTarget> targets;
    private final TaskLaunch launch;
    private final StoppedTasks stoppedTasks;
    private final InstantSource clock;

    /** One kind of worker for all users. */
    public LauncherWorkerTasks(
            WorkerLauncher launcher,
            LaunchTarget target,
            TaskLaunch launch,
            StoppedTasks stoppedTasks,
            InstantSource clock) {
        this(launcher, _ -> target, launch, stoppedTasks, clock);
    }

    /** @param targets what is launched for a user at this moment */
    public LauncherWorkerTasks(
            WorkerLauncher launcher,
            Function<UserId, LaunchTarget> targets,
            TaskLaunch launch,
            StoppedTasks stoppedTasks,
            InstantSource clock) {
        this.launcher = launcher;
        this.targets = targets;
        this.launch = launch;
        this.stoppedTasks = stoppedTasks;
        this.clock = clock;
    }

    @Override
    public String run(UserId userId, long epoch, String clientToken) {
        LaunchRequest request = targets.apply(userId).forUser(userId, epoch, clientToken);
        return switch (launch.run(request, RedisKeys.claim(userId, epoch))) {
            case Started started -> started.taskArn();
            case NoRoom(String reason) ->
                throw FailureType.NO_ROOM.failure("No host has room for the worker of " + userId + ": " + reason);
        };
    }

    @Override
    public void stop(String taskArn, String reason) {
        try {
            String shortened = reason.substring(0, Math.min(reason.length(), REASON_LENGTH));
            launcher.stop(taskArn, shortened);
            recordStopped(taskArn);
            ActivityExecutionContext context = Activity.getExecutionContext();
            ExponentialBackoff backoff = new ExponentialBackoff(FIRST_POLL, LAST_POLL);
            long start = System.nanoTime();
            while (!isProvenStopped(taskArn)) {
                if (context.getInfo().getAttempt() > 1 || System.nanoTime() - start >= POLL_TIME.toNanos()) {
                    throw notYet(taskArn);
                }
                context.heartbeat(null);
                Thread.sleep(backoff.next());
            }
        } catch (UnknownTaskException refused) {
            requireStopped(taskArn, refused);
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw FailureType.INTERRUPTED.failure("interrupted by a shutdown");
        }
    }

    /**
     * From the request on: the lifecycle asks for the stop of a process only when it has closed or
     * was given up. Without Redis the stop goes on: a successor may wait for its proof.
     */
    private void recordStopped(String taskArn) {
        try {
            stoppedTasks.record(taskArn);
        } catch (RedisException unavailable) {
            LOG.warn("the gateways do not hear that {} was stopped: {}", taskArn, unavailable.getMessage());
        }
    }

    private ApplicationFailure notYet(String taskArn) {
        boolean late = sinceScheduled().compareTo(RETRY_LATER) >= 0;
        return FailureType.NOT_STOPPED_YET.failure(
                "ECS has not stopped " + taskArn + " yet", late ? RETRY_LATER : RETRY);
    }

    /** Since the schedule of the first attempt. */
    private Duration sinceScheduled() {
        long scheduled = Activity.getExecutionContext().getInfo().getScheduledTimestamp();
        return Duration.between(Instant.ofEpochMilli(scheduled), clock.instant());
    }

    /** A refused stop is no proof, unless the task is proven stopped or unknown for long enough. */
    private void requireStopped(String taskArn, UnknownTaskException refused) {
        Optional<WorkerTask> task = launcher.find(taskArn);
        if (task.isPresent() && !isProvenStopped(task.get())) {
            throw refused;
        }
        if (task.isEmpty() && sinceScheduled().compareTo(UNKNOWN_IS_STOPPED_AFTER) < 0) {
            throw FailureType.UNKNOWN_TASK.failure("ECS does not know " + taskArn
                    + ". That proves that it stopped only after " + UNKNOWN_IS_STOPPED_AFTER.toMinutes() + " min");
        }
    }

    private boolean isProvenStopped(String taskArn) {
        return launcher.find(taskArn)
                .filter(LauncherWorkerTasks::isProvenStopped)
                .isPresent();
    }

    /**
     * Fails without retry when ECS reports {@code STOPPED} without proof: the report is final, and
     * ECS forgets the task after an hour. A retry would take that for a proof.
     */
    private static boolean isProvenStopped(WorkerTask task) {
        return switch (task.death()) {
            case PROVEN -> true;
            case ALIVE -> false;
            case UNCONFIRMED -> throw withoutProof(task);
        };
    }

    private static ApplicationFailure withoutProof(WorkerTask task) {
        return FailureType.STOPPED_WITHOUT_PROOF.failure("ECS says that " + task.arn() + " is STOPPED (" + task.stop()
                + "), but not how its process ended: the process may still run, on "
                + task.host()
                + ". Terminate that EC2 instance to end it.");
    }

    @Override
    public boolean isWorkerOf(String taskArn, UserId userId) {
        return TASK_ARN.matcher(taskArn).matches()
                && launcher.find(taskArn)
                        .filter(task -> task.death() == TaskDeath.ALIVE)
                        .filter(task -> task.mayServe(userId))
                        .isPresent();
    }

    @Override
    public Duration startTimeLeft(String taskArn, Duration afterPlacement) {
        return launcher.find(taskArn)
                .map(task -> timeLeft(task, afterPlacement))
                .orElse(Duration.ZERO);
    }

    /**
     * {@code createdAt} is "when the task entered the PENDING state", says the reference of ECS: a
     * host has it.
     */
    private Duration timeLeft(WorkerTask task, Duration afterPlacement) {
        if (task.state() == WorkerTask.State.AWAITING_HOST) {
            return afterPlacement;
        }
        if (task.createdAt() == null) {
            return Duration.ZERO;
        }
        Duration left = Duration.between(clock.instant(), task.createdAt().plus(afterPlacement));
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public TaskDeath death(String taskArn) {
        TaskDeath death = launcher.find(taskArn).map(WorkerTask::death).orElse(TaskDeath.ALIVE);
        if (death == TaskDeath.PROVEN) {
            recordStopped(taskArn);
        }
        return death;
    }
}
