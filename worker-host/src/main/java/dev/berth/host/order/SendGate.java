package dev.berth.host.order;

import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.order.Terms;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import redis.clients.jedis.UnifiedJedis;

/** The last step before an order is written: whatever speaks against it, says so here. */
public final class SendGate {
    /** So old may a look at kill switch and limits be. A change takes effect within a second, a slow write included. */
    static final Duration FRESH = Duration.ofMillis(500);
    /** By so much may an order seem to come from the future: the ways of tasks, and the API's clock. */
    static final Duration CLOCKS_APART = Duration.ofMillis(50);

    private final BooleanSupplier leaseIsValid;
    private final ServerClock server;
    private final RiskLook risk;

    SendGate(BooleanSupplier leaseIsValid, ServerClock server, UnifiedJedis redis) {
        this.leaseIsValid = leaseIsValid;
        this.server = server;
        this.risk = new RiskLook(redis);
    }

    /**
     * Empty when the replacement may be written now; else there is always a reason. The deadline is for submissions: what rests at the venue has none.
     * Its terms are always looked at: no admission has seen them.
     */
    Optional<Declined> objection(ReplaceOrder replacement, Heartbeat heartbeat) throws InterruptedException {
        Optional<Declined> said = riskOf(replacement.request(), replacement.wanted());
        if (heartbeat.isOvertaken() || !leaseIsValid.getAsBoolean()) {
            return Optional.of(notReplaced(
                    Cause.FENCED,
                    "The worker may not send any more; replacement " + replacement.next()
                            + " was not sent and the order is as it was."));
        }
        return said.map(declined -> declined.reason() != null
                ? declined
                : notReplaced(
                        declined.cause(),
                        "Nobody could say whether the kill switch lets it pass; the order is as it was."));
    }

    private static Declined notReplaced(Cause cause, String text) {
        return new Declined(cause, FailureCode.NOT_REPLACED.because(text));
    }

    /**
     * Empty when the order may be written now. Holds it up to 2 s, or until Redis answers, when nobody can say whether
     * the kill switch lets it pass.
     */
    Optional<Declined> objection(OrderRequest order, int attempt, Heartbeat heartbeat) throws InterruptedException {
        Optional<Declined> before = atOnce(order, heartbeat);
        if (before.isPresent() || (attempt == 1 && isLookedAt(order))) {
            return before;
        }
        Optional<Declined> said = risk.objection(
                order, Terms.of(order), () -> atOnce(order, heartbeat).isPresent());
        // A look may take its time: what else may have changed meanwhile is said first.
        return atOnce(order, heartbeat).or(() -> said);
    }

    /**
     * What switches and limits say to the order under other terms: {@link Cause#RISK} with the reason, or
     * {@link Cause#HELD} when nobody could say in time, or a limit needs a quote that is not there.
     */
    Optional<Declined> riskOf(OrderRequest order, Terms terms) throws InterruptedException {
        return risk.objection(order, terms, () -> !leaseIsValid.getAsBoolean());
    }

    /** Its admission looked a moment ago, and then it was submitted. A later attempt may be under other terms. */
    private boolean isLookedAt(OrderRequest order) {
        Duration age = Duration.between(order.submittedAt(), server.now());
        return age.compareTo(FRESH) < 0 && age.plus(CLOCKS_APART).isPositive();
    }

    private Optional<Declined> atOnce(OrderRequest order, Heartbeat heartbeat) {
        if (heartbeat.isCanceled()) {
            return Optional.of(new Declined(Cause.CANCELED));
        }
        if (heartbeat.isOvertaken()) {
            return Optional.of(new Declined(Cause.FORBIDDEN));
        }
        if (!server.now().isBefore(order.deadline())) {
            return Optional.of(new Declined(Cause.DEADLINE_PASSED));
        }
        return leaseIsValid.getAsBoolean() ? Optional.empty() : Optional.of(new Declined(Cause.FENCED));
    }

    /** Warms what a look needs. */
    void rehearse(OrderRequest order) {
        risk.rehearse(order);
    }
}
