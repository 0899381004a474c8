package dev.berth.workflows.worker;

import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.LaunchPriority;
import dev.berth.workflows.RetryPolicies;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerState.StartAttempts;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Every time-out and retry of a worker's life, with its why. */
final class WorkerPolicies {
    /**
     * A pool worker answers a claim in a tenth of a second; after two seconds a cold start is the
     * better bet.
     */
    static final Duration CLAIM_ANSWER = Duration.ofSeconds(2);

    /**
     * No worker gets more epochs in its life. Redis calculates with them exactly up to 2^53, and a
     * made-up one must leave room for those that follow.
     */
    static final long MAX_EPOCH = 1L << 40;

    /** How long a launch may wait for its turn. Orders that still wait then ask again. */
    static final Duration LAUNCH_TURN = Duration.ofMinutes(10);

    /**
     * Some 17 s without room; then the pool is looked at again, which may have an idle worker by
     * now.
     */
    static final int LAUNCH_ATTEMPTS = 6;

    /**
     * One call of ECS, which repeats by itself what it throttles. Who made it may be gone: then
     * another asks again.
     */
    static final Duration LAUNCH_CALL = Duration.ofSeconds(15);

    /** From the task to its process: a new host pulls the image first; 48 to 63 s were seen. */
    static final Duration LAUNCH_ANSWER = Duration.ofSeconds(90);

    /**
     * How long a task may wait for a host of its own: a scaling group adds one within minutes, or
     * it is full and adds none.
     */
    static final Duration SCALE_OUT = Duration.ofMinutes(10);

    /** Most tasks are up by then, and have reported it: to ask them would be work for nothing. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    /**
     * A process that was given up may take from the queue what is meant for the next, until a
     * renewal tells it so. In some 7 s, with the pauses in between, it has heard of it.
     */
    static final int MISDIRECTED = 10;

    static final Duration FIRST_MISDIRECTED = Duration.ofMillis(50);

    static final Duration LAST_MISDIRECTED = Duration.ofSeconds(1);

    /** One broker session, with room for a slow broker. */
    static final Duration OPEN_SESSION = Duration.ofSeconds(60);

    static final int CONNECT_ATTEMPTS = 3;

    private static final int SEAL_TRIES = 8;
    private static final Duration FIRST_TRY_AGAIN = Duration.ofMillis(100);
    private static final Duration LAST_TRY_AGAIN = Duration.ofSeconds(5);

    /** Between two attempts to connect; doubles. */
    static final Duration CONNECT_PAUSE = Duration.ofSeconds(1);

    /**
     * After the last attempt, so that a broker that is unavailable is not asked by a new process
     * every second.
     */
    static final Duration FIRST_RETRY = Duration.ofSeconds(15);

    static final Duration LAST_RETRY = Duration.ofMinutes(5);

    /** Refused credentials: most were mistyped or revoked, and brokers lock who tries often. */
    static final Duration FIRST_REFUSED_RETRY = Duration.ofMinutes(2);

    static final Duration LAST_REFUSED_RETRY = Duration.ofHours(1);

    static final Duration HEARTBEAT = Duration.ofSeconds(3);

    static final Duration PING = Duration.ofMillis(1500);

    /**
     * A worker that answered within this time, and renews its heartbeat key, is not asked again.
     */
    static final Duration PING_AGAIN = Duration.ofSeconds(60);

    /** A process that renews its heartbeat key but answers nothing for so long hangs as a whole. */
    static final Duration HUNG = Duration.ofMinutes(3);

    /**
     * Between two questions to a process that an earlier lifecycle left; the heartbeat key of a
     * dead one expires meanwhile.
     */
    static final Duration ASK_AGAIN = Duration.ofSeconds(3);

    /** A process that reaches Redis has its heartbeat key within seconds of its epoch's return. */
    static final Duration HEARTBEAT_MISSING = Duration.ofSeconds(60);

    /**
     * Between two checks of a worker that shows only one sign of life: heartbeat key, or answer.
     */
    static final Duration CHECK_AGAIN = Duration.ofSeconds(30);

    /**
     * After Redis was unavailable an absent heartbeat key proves nothing; by then every live worker
     * has renewed its own.
     */
    static final Duration HEARTBEATS_RETURN = Duration.ofSeconds(60);

    /** Longer than the longest broker call, which the closing worker finishes first. */
    static final Duration CLOSE_SESSION = Duration.ofSeconds(30);

    /**
     * A process that is dead is proven so at once, when its task is stopped. Its successor waits
     * for that even when the lease is over: what is proven need not be remembered.
     */
    static final Duration STOP_PROOF = Duration.ofSeconds(1);

    /** How often an unserved user's orders may cause the same notice to be published again. */
    static final Duration NOTICE_AGAIN = Duration.ofSeconds(60);

    /** After a start that failed, so that a broken image does not spin; doubles up to the last. */
    static final Duration FIRST_PAUSE = Duration.ofMillis(500);

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** More deaths within {@link #DEATHS_WITHIN} call for a person, and are followed by a pause. */
    static final int DEATHS = 5;

    static final Duration DEATHS_WITHIN = Duration.ofMinutes(10);

    static final Duration FIRST_CRASH_PAUSE = Duration.ofSeconds(30);

    static final Duration LONGEST_CRASH_PAUSE = Duration.ofMinutes(5);

    /** Half of the server's bound of 10,000 signals a run would do; the design says 2,000. */
    static final int SIGNALS_PER_RUN = 2_000;

    /**
     * The server suggests a new run at 4,096; the step that is under way then is still to end in
     * the old one. One that waits for a server that is unavailable for minutes may make it longer
     * all the same.
     */
    static final int EVENTS_PER_RUN = 3_900;

    private WorkerPolicies() {}

    static Duration launchPause(int failures) {
        return ExponentialBackoff.pause(FIRST_PAUSE, LONGEST_PAUSE, failures);
    }

    static Duration crashPause(int pauses) {
        return ExponentialBackoff.pause(FIRST_CRASH_PAUSE, LONGEST_CRASH_PAUSE, pauses);
    }

    static Duration connectPause(int attempts) {
        return ExponentialBackoff.pause(CONNECT_PAUSE, FIRST_RETRY, attempts);
    }

    static Duration connectRetry(int failedConnects) {
        return ExponentialBackoff.pause(FIRST_RETRY, LAST_RETRY, failedConnects);
    }

    static Duration refusedRetry(int refusals) {
        return ExponentialBackoff.pause(FIRST_REFUSED_RETRY, LAST_REFUSED_RETRY, refusals);
    }

    static Duration misdirectedPause(int misdirected) {
        return ExponentialBackoff.pause(FIRST_MISDIRECTED, LAST_MISDIRECTED, misdirected);
    }

    /**
     * Redis, SQS, ECS and PostgreSQL: quick calls, tried until they answer. Longer pauses are
     * timers: a pause inside a workflow task holds one of the orchestrator's 200 slots, and while a
     * server is unavailable many users wait.
     */
    static LocalActivityOptions quick() {
        return tried(RetryPolicies.untilItSucceeds(FIRST_TRY_AGAIN, LAST_TRY_AGAIN));
    }

    /**
     * The store of credentials and its key service, which may refuse for good, as when a policy is
     * wrong: after some 12 s of pauses the attempt to connect has failed.
     */
    static LocalActivityOptions seal() {
        return tried(RetryPolicies.times(SEAL_TRIES, FIRST_TRY_AGAIN, LAST_TRY_AGAIN));
    }

    private static LocalActivityOptions tried(RetryOptions again) {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(5))
                .setRetryOptions(again)
                .setLocalRetryThreshold(Duration.ofSeconds(1))
                .build();
    }

    /**
     * Users with working orders are launched first, then other users, then the pool. A launch that
     * is canceled while ECS is being asked still says which task it started, so that the task can
     * be stopped. While the launch circuit is open the pool is looked at between two attempts.
     */
    static ActivityOptions run(StartAttempts starts) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.LAUNCH)
                .setStartToCloseTimeout(LAUNCH_CALL)
                .setScheduleToCloseTimeout(LAUNCH_TURN)
                .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
                .setPriority(LaunchPriority.of(starts.hasWorkingOrders() ? 1 : 2, starts.group()))
                .setRetryOptions(RetryOptions.newBuilder()
                        .setMaximumInterval(Duration.ofSeconds(5))
                        .setMaximumAttempts(LAUNCH_ATTEMPTS)
                        .setDoNotRetry(FailureType.LAUNCH_CIRCUIT_OPEN.code())
                        .build())
                .build();
    }

    /** Tried until ECS says {@code STOPPED}: nothing else proves that a process cannot send. */
    static ActivityOptions stop() {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.FLEET)
                .setStartToCloseTimeout(Duration.ofSeconds(60))
                .setHeartbeatTimeout(Duration.ofSeconds(10))
                .setRetryOptions(RetryOptions.newBuilder()
                        .setMaximumInterval(Duration.ofSeconds(5))
                        .build())
                .build();
    }

    /**
     * How long a process that should serve may say nothing before it is asked; never the whole time
     * that it has.
     */
    static Duration silence(Duration patience) {
        Duration half = patience.dividedBy(2);
        return half.compareTo(SILENCE) < 0 ? half : SILENCE;
    }

    /**
     * A process with another epoch declines, or may take the task and be gone: asked again until
     * time is up.
     */
    static ActivityOptions attach(UserId userId, Duration patience) {
        // A poll that a dead process left behind may take the question: then there must be time for
        // another.
        Duration answer = patience.dividedBy(4);
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.controlOf(userId))
                .setScheduleToCloseTimeout(patience)
                .setStartToCloseTimeout(answer.compareTo(CLAIM_ANSWER) < 0 ? answer : CLAIM_ANSWER)
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(Duration.ofMillis(50))
                        .setMaximumInterval(Duration.ofMillis(500))
                        .build())
                .build();
    }

    static ActivityOptions openSession(UserId userId) {
        return control(userId, OPEN_SESSION).setHeartbeatTimeout(HEARTBEAT).build();
    }

    static ActivityOptions ping(UserId userId) {
        return control(userId, PING).setScheduleToCloseTimeout(PING).build();
    }

    static ActivityOptions closeSession(UserId userId) {
        return control(userId, CLOSE_SESSION)
                .setScheduleToCloseTimeout(CLOSE_SESSION)
                .setHeartbeatTimeout(HEARTBEAT)
                .build();
    }

    private static ActivityOptions.Builder control(UserId userId, Duration startToClose) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.controlOf(userId))
                .setScheduleToStartTimeout(Duration.ofSeconds(5))
                .setStartToCloseTimeout(startToClose)
                .setRetryOptions(RetryPolicies.ONCE);
    }
}
