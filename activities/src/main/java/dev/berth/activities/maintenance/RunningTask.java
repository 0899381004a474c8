package dev.berth.activities.maintenance;

import dev.berth.workflows.UserId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs and that no mark names.
 *
 * @param userId whom it was started for, or who claimed it; null when nobody did
 * @param epoch it was started with; 0 for one that was claimed
 */
record RunningTask(String taskId, @Nullable UserId userId, long epoch, Instant createdAt) {
    /** From the task to its mark: as long as a launch may take (90 s). */
    static final Duration LAUNCH = Duration.ofSeconds(90);

    boolean isYoung(Instant now) {
        return now.isBefore(createdAt.plus(LAUNCH));
    }
}
