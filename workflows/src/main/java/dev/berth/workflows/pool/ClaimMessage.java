package dev.berth.workflows.pool;

import dev.berth.workflows.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A claim, as SQS carries it. The message holds nothing secret.
 *
 * @param reservedTask id of the reserved task; no other task may take the claim
 */
public record ClaimMessage(UserId userId, long epoch, String reservedTask, Instant sentAt) {
    /** The user of an older claim has another worker by then. The queue keeps messages as long. */
    public static final Duration VALID_FOR = Duration.ofMinutes(5);

    /** A message of another kind parses to empty fields, and must not pass for a claim. */
    public ClaimMessage {
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(reservedTask, "reservedTask");
        Objects.requireNonNull(sentAt, "sentAt");
    }

    public boolean isValid(Instant now) {
        return now.isBefore(sentAt.plus(VALID_FOR));
    }
}
