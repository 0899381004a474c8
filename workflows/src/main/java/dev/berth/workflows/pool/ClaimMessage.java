package dev.berth.workflows.pool;

import dev.berth.workflows.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A claim on its way through SQS. It holds nothing secret.
 *
 * @param reservedTask the task id that was taken off the idle list; whoever takes the claim puts it back if it is not
 *     its own
 */
public record ClaimMessage(UserId userId, long epoch, String reservedTask, Instant sentAt) {
    /** An older claim is worthless: its user was served otherwise. The queue keeps messages as long. */
    public static final Duration USEFUL = Duration.ofMinutes(5);

    /** A message of another kind reads as one without fields; it must not pass for a claim. */
    public ClaimMessage {
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(reservedTask, "reservedTask");
        Objects.requireNonNull(sentAt, "sentAt");
    }

    public boolean isUseful(Instant now) {
        return now.isBefore(sentAt.plus(USEFUL));
    }
}
