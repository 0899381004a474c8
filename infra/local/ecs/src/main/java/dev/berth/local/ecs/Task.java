package dev.berth.local.ecs;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a task. Each part is set once and stays; the parts determine the statuses of
 * ECS.
 *
 * @param version starts at 1 and grows by one with every change
 * @param pull the start of the task has begun
 * @param launch the process exists
 * @param stop the task shall end
 * @param end the process ended or never started; or ECS removed its host, and the process may still
 *     run
 */
record Task(
        TaskPlan plan,
        int version,
        @Nullable Pull pull,
        @Nullable StartedProcess launch,
        @Nullable Stop stop,
        @Nullable End end) {

    enum TaskStatus {
        PROVISIONING,
        PENDING,
        RUNNING,
        DEACTIVATING,
        STOPPING,
        STOPPED
    }

    /** @param controlGroup the folder of its memory control group */
    record Pull(Instant startedAt, @Nullable String controlGroup) {}

    /**
     * @param processStartedAt distinguishes it from a later process with the same id; null if
     *     unknown
     */
    record StartedProcess(long pid, @Nullable Instant processStartedAt, Instant startedAt) {}

    /** @param phase stays {@code REQUESTED} on an unreachable host */
    record Stop(StopCode code, String reason, Instant requestedAt, StopPhase phase) {
        enum StopPhase {
            REQUESTED,
            DEACTIVATING,
            STOPPING
        }
    }

    /** Spelled as in ECS. */
    enum StopCode {
        EssentialContainerExited,
        UserInitiated,
        TaskFailedToStart,
        TerminationNotice
    }

    /**
     * @param exitCode 0 to 255, 128 + signal after a signal; null without a process, or if
     *     unknown
     * @param containerReason why the container ended, if ECS gives a reason
     * @param reported the agent reported the end; else ECS gave up the task with its host
     */
    record End(
            Instant stoppedAt,
            @Nullable Integer exitCode,
            @Nullable String containerReason,
            boolean reported) {
        /** Docker's exit code of a container whose real one is unknown. */
        private static final int LOST_EXIT_CODE = 255;

        static End exited(Instant now, int exitCode) {
            return new End(now, exitCode, null, true);
        }

        static End lost(Instant now, @Nullable String containerReason) {
            return new End(now, LOST_EXIT_CODE, containerReason, true);
        }

        static End outOfMemory(Instant now) {
            return new End(now, 137, "OutOfMemoryError: Container killed due to memory usage", true);
        }
    }

    static Task accepted(TaskPlan plan) {
        return new Task(plan, 1, null, null, null, null);
    }

    String id() {
        return plan.id();
    }

    TaskStatus lastStatus() {
        if (end != null) {
            return TaskStatus.STOPPED;
        }
        if (stop != null && stop.phase() != Stop.StopPhase.REQUESTED) {
            return stop.phase() == Stop.StopPhase.STOPPING ? TaskStatus.STOPPING : TaskStatus.DEACTIVATING;
        }
        if (launch != null) {
            return TaskStatus.RUNNING;
        }
        return pull != null ? TaskStatus.PENDING : TaskStatus.PROVISIONING;
    }

    /** {@code RUNNING} or {@code STOPPED}. */
    TaskStatus desiredStatus() {
        return stop != null ? TaskStatus.STOPPED : TaskStatus.RUNNING;
    }

    Task pulled(Instant now, @Nullable String controlGroup) {
        return end != null || pull != null ? this : next(new Pull(now, controlGroup), launch, stop, end);
    }

    Task launched(StartedProcess newLaunch) {
        return end != null ? this : next(pull, newLaunch, stop, end);
    }

    /** The first stop stays; later calls change nothing. */
    Task stopRequested(StopCode code, String reason, Instant now) {
        return stop != null ? this : next(pull, launch, new Stop(code, reason, now, Stop.StopPhase.REQUESTED), end);
    }

    Task stopReached(Stop.StopPhase phase) {
        return stop == null || end != null || stop.phase().compareTo(phase) >= 0
                ? this
                : next(pull, launch, new Stop(stop.code(), stop.reason(), stop.requestedAt(), phase), end);
    }

    /** The process ended. A requested stop stays the cause; the first end stays. */
    Task exited(End newEnd) {
        return ended(StopCode.EssentialContainerExited, "Essential container in task exited", newEnd);
    }

    /** No process will start. A requested stop stays the cause; the first end stays. */
    Task neverStarted(Instant now, @Nullable String containerReason) {
        return ended(StopCode.TaskFailedToStart, "Task failed to start", new End(now, null, containerReason, true));
    }

    /** ECS gave up the host. A requested stop stays the cause; the first end stays. */
    Task givenUp(StopCode code, String reason, Instant now) {
        return ended(code, reason, new End(now, null, null, false));
    }

    private Task ended(StopCode code, String reason, End newEnd) {
        if (end != null) {
            return this;
        }
        Stop decided = stop != null ? stop : new Stop(code, reason, newEnd.stoppedAt(), Stop.StopPhase.REQUESTED);
        return next(pull, launch, decided, newEnd);
    }

    private Task next(
            @Nullable Pull newPull, @Nullable StartedProcess newLaunch, @Nullable Stop newStop, @Nullable End newEnd) {
        return new Task(plan, version + 1, newPull, newLaunch, newStop, newEnd);
    }
}
