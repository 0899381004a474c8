package dev.berth.workflows.maintenance;

import dev.berth.workflows.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A difference between what Berth expects and what exists.
 *
 * @param userId null for a task without a user
 * @param subject task id, or client order id; empty for a worker whose task is unknown
 * @param epoch of the task; 0 when unknown
 */
public record Drift(DriftKind kind, @Nullable UserId userId, String subject, long epoch) {

    /** The same in every sweep. */
    public String identity() {
        return kind + " " + owner() + " " + subject;
    }

    /** The user, or the task without a user, for texts. */
    public String owner() {
        return userId == null ? subject : userId.value();
    }
}
