package dev.berth.activities.launch;

import dev.berth.activities.launch.LaunchOutcome.NoRoom;
import dev.berth.activities.launch.LaunchOutcome.Started;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.PoolNames;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Launches tasks behind the launch circuit. */
public final class TaskLaunch {
    /** Spreads the retries of delayed launches. */
    private static final long JITTER_MILLIS = 5_000;

    private final WorkerLauncher launcher;
    private final LaunchCircuitBreaker circuit;
    private final @Nullable TaskEnrolments enrolments;
    private final LaunchListener listener;

    /** Launches tasks that cannot enrol at a worker gateway. */
    public TaskLaunch(WorkerLauncher launcher, LaunchCircuitBreaker circuit) {
        this(launcher, circuit, null, LaunchListener.NONE);
    }

    public TaskLaunch(
            WorkerLauncher launcher,
            LaunchCircuitBreaker circuit,
            @Nullable TaskEnrolments enrolments,
            LaunchListener listener) {
        this.launcher = launcher;
        this.circuit = circuit;
        this.enrolments = enrolments;
        this.listener = listener;
    }

    /**
     * Starts the task, and lets it enrol. The outcome, not an exception, reports that no host has
     * room.
     *
     * @param claim whom it serves: {@link RedisKeys#claim} or {@link PoolNames#user}
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#LAUNCH_CIRCUIT_OPEN}, with
     *     the time after which to try again
     * @throws LauncherException from {@link WorkerLauncher#launch}
     */
    public LaunchOutcome run(LaunchRequest request, String claim) {
        if (enrolments == null) {
            return run(request);
        }
        LaunchOutcome outcome = run(enrolments.withSecret(request));
        if (outcome instanceof Started started) {
            enrolments.record(request.clientToken(), started.taskArn(), claim);
        }
        return outcome;
    }

    private LaunchOutcome run(LaunchRequest request) {
        boolean isCircuitInUse = circuit.countNotClosed() > 0;
        String definition = request.target().taskDefinition();
        // Resolved once: the permit and its result must name the same version, even if the launcher
        // fails in between.
        String version = isCircuitInUse ? resolved(definition) : definition;
        if (isCircuitInUse) {
            requirePermit(version);
        }
        try {
            LaunchOutcome outcome = launcher.launch(request);
            record(version, outcome);
            return outcome;
        } catch (LauncherException failed) {
            if (failed.isRefusal()) {
                listener.launched(LaunchResult.REFUSED);
                circuit.refused(resolved(version));
            } else {
                listener.launched(LaunchResult.FAILED);
                // An outage is no failure of the image.
                circuit.release(resolved(version));
            }
            throw failed;
        }
    }

    /** A half-open circuit launches a single task. */
    private void requirePermit(String version) {
        if (!circuit.tryAcquire(version)) {
            Duration again = circuit.remainingDelay(version)
                    .plusMillis(ThreadLocalRandom.current().nextLong(JITTER_MILLIS));
            listener.launched(LaunchResult.CIRCUIT_OPEN);
            throw FailureType.LAUNCH_CIRCUIT_OPEN.failure(
                    "The launch circuit of " + version + " is open: most of the last launches failed", again);
        }
    }

    private void record(String version, LaunchOutcome outcome) {
        switch (outcome) {
            case Started(String task, String revision) -> {
                listener.launched(LaunchResult.STARTED);
                circuit.launched(revision, List.of(task));
            }
            case NoRoom _ -> {
                listener.launched(LaunchResult.NO_ROOM);
                if (circuit.countNotClosed() > 0) {
                    circuit.release(resolved(version));
                }
            }
        }
    }

    /** The current revision of a family. */
    private String resolved(String taskDefinition) {
        try {
            return launcher.revision(taskDefinition);
        } catch (LauncherException unknown) {
            return taskDefinition;
        }
    }
}
