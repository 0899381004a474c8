package dev.berth.local.ecs;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task as it is now. Each part appears once and stays; the statuses of ECS follow from which parts are there.
 *
 * @param version 1 at first, grows by one with every change
 * @param pull from then on the task is being started
 * @param launch the process exists
 * @param stop it was decided that the task ends
 * @param end the process is gone, or never came to be
 */
record Task(
        TaskPlan plan,
        int version,
        @Nullable Pull pull,
        @Nullable Launch launch,
        @Nullable Stop stop,
        @Nullable End end) {

    enum Status {
        PROVISIONING,
        PENDING,
        RUNNING,
        DEACTIVATING,
        STOPPING,
        STOPPED
    }

    /** @param controlGroup the folder of the memory control group that was made for it */
    record Pull(Instant startedAt, @Nullable String controlGroup) {}

    /** @param processStartedAt tells it from a later process with its id; null where the system keeps it to itself */
    record Launch(long pid, @Nullable Instant processStartedAt, Instant startedAt) {}

    /** @param step how far the stop has come; an unreachable host never leaves {@code REQUESTED} */
    record Stop(StopCode code, String reason, Instant requestedAt, Step step) {
        enum Step {
            REQUESTED,
            DEACTIVATING,
            STOPPING
        }
    }

    /** As ECS writes them. */
    enum StopCode {
        EssentialContainerExited,
        UserInitiated,
        TaskFailedToStart
    }

    /**
     * @param exitCode 0 to 255, 128 + signal when a signal ended it; null when it is not known
     * @param containerReason why the container ended, where that is worth a word
     */
    record End(
            Instant stoppedAt,
            @Nullable Integer exitCode,
            @Nullable String containerReason) {
        static End outOfMemory(Instant now) {
            return new End(now, 137, "OutOfMemoryError: Container killed due to memory usage");
        }
    }

    static Task accepted(TaskPlan plan) {
        return new Task(plan, 1, null, null, null, null);
    }

    String id() {
        return plan.id();
    }

    Status lastStatus() {
        if (end != null) {
            return Status.STOPPED;
        }
        if (stop != null && stop.step() != Stop.Step.REQUESTED) {
            return stop.step() == Stop.Step.STOPPING ? Status.STOPPING : Status.DEACTIVATING;
        }
        if (launch != null) {
            return Status.RUNNING;
        }
        return pull != null ? Status.PENDING : Status.PROVISIONING;
    }

    /** {@code RUNNING} or {@code STOPPED}. */
    Status desiredStatus() {
        return stop != null ? Status.STOPPED : Status.RUNNING;
    }

    Task pulled(Instant now, @Nullable String controlGroup) {
        return end != null || pull != null ? this : next(new Pull(now, controlGroup), launch, stop, end);
    }

    Task launched(Launch newLaunch) {
        return end != null ? this : next(pull, newLaunch, stop, end);
    }

    /** The first stop stays; a later one changes nothing. */
    Task stopRequested(StopCode code, String reason, Instant now) {
        return stop != null ? this : next(pull, launch, new Stop(code, reason, now, Stop.Step.REQUESTED), end);
    }

    Task stopReached(Stop.Step step) {
        return stop == null || end != null || stop.step().compareTo(step) >= 0
                ? this
                : next(pull, launch, new Stop(stop.code(), stop.reason(), stop.requestedAt(), step), end);
    }

    /** The process is gone; a stop that had been asked for stays the cause. The first end stays. */
    Task exited(End newEnd) {
        return ended(StopCode.EssentialContainerExited, "Essential container in task exited", newEnd);
    }

    /** There will be no process; a stop that had been asked for stays the cause. The first end stays. */
    Task neverStarted(Instant now, @Nullable String containerReason) {
        return ended(StopCode.TaskFailedToStart, "Task failed to start", new End(now, null, containerReason));
    }

    private Task ended(StopCode code, String reason, End newEnd) {
        if (end != null) {
            return this;
        }
        Stop decided = stop != null ? stop : new Stop(code, reason, newEnd.stoppedAt(), Stop.Step.REQUESTED);
        return next(pull, launch, decided, newEnd);
    }

    private Task next(
            @Nullable Pull newPull, @Nullable Launch newLaunch, @Nullable Stop newStop, @Nullable End newEnd) {
        return new Task(plan, version + 1, newPull, newLaunch, newStop, newEnd);
    }
}
