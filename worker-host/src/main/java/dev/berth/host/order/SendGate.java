package dev.berth.host.order;

import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The last check before an order is written: lease, deadline, cancellation, risk and holds. */
public final class SendGate {
    private final BooleanSupplier leaseIsValid;
    private final ServerClock server;
    private final RiskSnapshot risk;

    SendGate(BooleanSupplier leaseIsValid, ServerClock server, WorkerGatewayClient gateway) {
        this.leaseIsValid = leaseIsValid;
        this.server = server;
        this.risk = new RiskSnapshot(gateway);
    }

    /**
     * Empty when the replacement may be written now; an objection always has a reason. The deadline
     * is for submissions only: a working order has none. Admission has not seen the new terms, so
     * their risk is always checked.
     */
    Optional<Declined> objection(ReplaceOrder replacement, ActivityHeartbeat heartbeat) throws InterruptedException {
        Optional<Declined> riskObjection = riskObjection(replacement.request(), replacement.wanted());
        if (heartbeat.isTimedOut() || !leaseIsValid.getAsBoolean()) {
            return Optional.of(notReplaced(
                    Cause.FENCED,
                    "The worker may not send any more; replacement " + replacement.next()
                            + " was not sent and the order is as it was."));
        }
        return riskObjection.map(declined -> declined.reason() != null
                ? declined
                : notReplaced(
                        declined.cause(),
                        "The kill switches cannot be read or a quote is missing;" + " the order is as it was."));
    }

    private static Declined notReplaced(Cause cause, String text) {
        return new Declined(cause, FailureCode.NOT_REPLACED.because(text));
    }

    /**
     * Empty when the order may be written now. Waits up to 2 s while the kill switches cannot be
     * read. Every order is checked, even one whose submission time is only a moment ago.
     *
     * @param deadline by the server's clock
     */
    Optional<Declined> objection(OrderRequest order, Instant deadline, ActivityHeartbeat heartbeat)
            throws InterruptedException {
        Optional<Declined> localObjection = localObjection(deadline, heartbeat);
        if (localObjection.isPresent()) {
            return localObjection;
        }
        Optional<Declined> riskObjection = risk.objection(
                order,
                OrderTerms.of(order),
                MassCancel::covers,
                () -> localObjection(deadline, heartbeat).isPresent());
        // The risk check may take 2 s: the lease or the deadline may have passed meanwhile. Neither
        // check here blocks, so the look is as fresh as the risk check left it.
        return localObjection(deadline, heartbeat).or(() -> riskObjection);
    }

    /**
     * The objection to replacing the order by other terms, as of {@link RiskSnapshot#objection}.
     */
    Optional<Declined> riskObjection(OrderRequest order, OrderTerms terms) throws InterruptedException {
        return risk.objection(order, terms, MassCancel::coversReplacement, () -> !leaseIsValid.getAsBoolean());
    }

    private Optional<Declined> localObjection(Instant deadline, ActivityHeartbeat heartbeat) {
        if (heartbeat.isCanceled()) {
            return Optional.of(new Declined(Cause.CANCELED));
        }
        if (heartbeat.isTimedOut()) {
            return Optional.of(new Declined(Cause.FORBIDDEN));
        }
        if (!server.now().isBefore(deadline)) {
            return Optional.of(new Declined(Cause.DEADLINE_PASSED));
        }
        return leaseIsValid.getAsBoolean() ? Optional.empty() : Optional.of(new Declined(Cause.FENCED));
    }

    /** Loads what the risk check needs. */
    void warmUp(OrderRequest order) {
        risk.warmUp(order);
    }
}
