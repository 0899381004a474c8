package dev.berth.workflows.maintenance;

import dev.berth.workflows.UserId;
import org.jspecify.annotations.Nullable;

/**
 * One thing that drifted.
 *
 * @param userId whose; null for a task of nobody
 * @param subject the task's id, or the client order id of an order; empty for a worker whose task is not known
 * @param epoch of the task; 0 when it is not known
 */
public record Drift(DriftKind kind, @Nullable UserId userId, String subject, long epoch) {

    /** The same thing has the same identity in the next sweep. */
    public String identity() {
        return kind + " " + who() + " " + subject;
    }

    /** Whom to name to a person. */
    public String who() {
        return userId == null ? subject : userId.value();
    }
}
