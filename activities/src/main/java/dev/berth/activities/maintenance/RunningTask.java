package dev.berth.activities.maintenance;

import dev.berth.activities.launch.WorkerTask;
import dev.berth.workflows.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A running task without a heartbeat.
 *
 * @param userId of the start or the claim; null for an unclaimed pool worker
 * @param epoch of the start; 0 after a claim
 * @param createdAt since when a host has it; null while it waits for one
 */
record RunningTask(
        String taskId,
        @Nullable UserId userId,
        long epoch,
        @Nullable Instant createdAt) {
    /** From the task to its heartbeat; the limit of a launch. */
    private static final Duration LAUNCH = Duration.ofSeconds(90);

    /** @param claimed user by id of a claimed task */
    static RunningTask of(WorkerTask task, Map<String, UserId> claimed) {
        UserId user = task.userId() != null ? task.userId() : claimed.get(task.id());
        Instant placed = task.state() == WorkerTask.State.AWAITING_HOST ? null : task.createdAt();
        return new RunningTask(task.id(), user, task.epoch(), placed);
    }

    boolean isStarting(Instant now) {
        return createdAt == null || now.isBefore(createdAt.plus(LAUNCH));
    }
}
