package dev.berth.host.order;

import dev.berth.workflows.order.SubmitOutcome.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The last step before an order is written: whatever speaks against it, says so here. */
final class SendGate {
    private final BooleanSupplier leaseIsValid;

    SendGate(BooleanSupplier leaseIsValid) {
        this.leaseIsValid = leaseIsValid;
    }

    /**
     * The server's clock as this process can know it: the time at which the server handed out the task, plus what
     * has passed here since. The wall clock of the host plays no part.
     */
    record ServerTime(long startedMillis, long receivedNanos) {
        Instant now() {
            return Instant.ofEpochMilli(startedMillis).plus(Duration.ofNanos(System.nanoTime() - receivedNanos));
        }
    }

    /** Empty when the order may be written now. */
    Optional<Cause> objection(Instant deadline, ServerTime time, Heartbeat heartbeat) {
        if (heartbeat.isCanceled()) {
            return Optional.of(Cause.CANCELED);
        }
        if (heartbeat.isOvertaken()) {
            return Optional.of(Cause.FORBIDDEN);
        }
        if (!time.now().isBefore(deadline)) {
            return Optional.of(Cause.DEADLINE_PASSED);
        }
        return leaseIsValid.getAsBoolean() ? Optional.empty() : Optional.of(Cause.FENCED);
    }
}
