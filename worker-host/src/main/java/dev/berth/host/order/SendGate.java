package dev.berth.host.order;

import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The last step before an order is written: whatever speaks against it, says so here. */
final class SendGate {
    private final BooleanSupplier leaseIsValid;
    private final ServerClock server;

    SendGate(BooleanSupplier leaseIsValid, ServerClock server) {
        this.leaseIsValid = leaseIsValid;
        this.server = server;
    }

    /** Empty when the replacement may be written now. The deadline is for submissions: what rests at the venue has none. */
    Optional<Reason> objection(ReplaceOrder replacement, Heartbeat heartbeat) {
        if (heartbeat.isOvertaken() || !leaseIsValid.getAsBoolean()) {
            return Optional.of(FailureCode.NOT_REPLACED.because("The worker may not send any more; replacement "
                    + replacement.next() + " was not sent and the order is as it was."));
        }
        return Optional.empty();
    }

    /** Empty when the order may be written now. */
    Optional<Cause> objection(Instant deadline, Heartbeat heartbeat) {
        if (heartbeat.isCanceled()) {
            return Optional.of(Cause.CANCELED);
        }
        if (heartbeat.isOvertaken()) {
            return Optional.of(Cause.FORBIDDEN);
        }
        if (!server.now().isBefore(deadline)) {
            return Optional.of(Cause.DEADLINE_PASSED);
        }
        return leaseIsValid.getAsBoolean() ? Optional.empty() : Optional.of(Cause.FENCED);
    }
}
