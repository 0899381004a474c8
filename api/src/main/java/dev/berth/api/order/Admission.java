package dev.berth.api.order;

import dev.berth.activities.risk.ActiveOrders;
import dev.berth.activities.risk.Admittance;
import dev.berth.activities.risk.OrderGate;
import dev.berth.api.Problem;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.Reason;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Lets orders in, before anything else is done for them. */
@Component
class Admission {
    /** Every way in which an order is not let in. */
    static final List<Problem> REFUSALS = List.of(
            Problem.TOO_MANY_ORDERS, Problem.ORDER_RATE, Problem.KILL_SWITCH, Problem.RISK_LIMIT, Problem.UNAVAILABLE);

    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

    private final OrderGate gate;
    private final ActiveOrders active;
    private final AdmissionLoad load;

    Admission(OrderGate gate, ActiveOrders active, AdmissionLoad load) {
        this.gate = gate;
        this.active = active;
        this.load = load;
    }

    /** An order's place among the active ones. Closed before it is kept, the order is not counted any more. */
    final class Entry implements AutoCloseable {
        private final ActiveOrders.Active order;
        private final boolean hasWorker;
        private final Optional<Reason> objection;
        private boolean withdrawing;

        private Entry(OrderRequest order, boolean isCounted, boolean hasWorker, Optional<Reason> objection) {
            this.order = new ActiveOrders.Active(order.userId(), order.clientOrderId());
            this.withdrawing = isCounted;
            this.hasWorker = hasWorker;
            this.objection = objection;
        }

        /** What switches and limits say against it; then only an order that was started before is answered. */
        Optional<Reason> objection() {
            return objection;
        }

        boolean hasWorker() {
            return hasWorker;
        }

        /** It is started, or may be: it counts until its first answer. */
        void keep() {
            withdrawing = false;
        }

        /** It surely was not started, or has its answer. */
        void leave() {
            withdrawing = false;
            try {
                active.withdraw(order);
            } catch (RedisException away) {
                LOG.warn("an order stays counted until the next correction: {}", away.getMessage());
            }
        }

        @Override
        public void close() {
            if (withdrawing) {
                leave();
            }
        }
    }

    /**
     * Lets the order in, and counts it. One that is counted already is let in again, and counts once.
     *
     * @throws Problem.Refusal when it must not be started now, and nothing is to be looked up for it
     */
    Entry admit(OrderRequest order) throws InterruptedException {
        return switch (ask(order)) {
            case Admittance.Admitted(boolean isNew, boolean hasWorker, long now) -> {
                load.saw(now);
                yield new Entry(order, isNew, hasWorker, Optional.empty());
            }
            case Admittance.Objected(Reason reason, long now, boolean counted) -> {
                load.saw(now);
                yield new Entry(order, counted, false, Optional.of(reason));
            }
            case Admittance.TooFast(Duration early, long now) -> {
                load.saw(now);
                throw refused(
                                Problem.ORDER_RATE,
                                "Account " + order.account()
                                        + " may not submit more orders a second. Submit fewer, or have ordersPerSecond raised.")
                        .after(Math.max(1, early.plusMillis(999).toSeconds()));
            }
            case Admittance.Full(Admittance.Drain drain, long now, boolean ofUser) -> {
                load.saw(now);
                throw refused(
                                Problem.TOO_MANY_ORDERS,
                                (ofUser ? "Too many of your orders" : "Too many orders")
                                        + " wait for the venue's first answer. Submit this one again, under the same"
                                        + " id, after the seconds that the header Retry-After names.")
                        .after(RetryAfter.seconds(drain, ThreadLocalRandom.current()::nextDouble));
            }
            case Admittance.NotLoaded _ ->
                throw refused(
                                Problem.UNAVAILABLE,
                                "Kill switches and limits are being loaded. Nothing was accepted; try again in a second.")
                        .after(1);
        };
    }

    /** Without Redis nothing is accepted: whether the user may send now is not known. */
    private Admittance ask(OrderRequest order) throws InterruptedException {
        try {
            return gate.admit(order);
        } catch (ExecutionException | TimeoutException | RedisException away) {
            LOG.warn("an order was not accepted, Redis does not answer: {}", away.toString());
            throw refused(
                            Problem.UNAVAILABLE,
                            "Redis does not answer. Nothing was accepted; try again in a few seconds.")
                    .after(1);
        }
    }

    /** What an order is told that switches or limits stop. */
    Problem.Refusal refusal(Reason objection) {
        Problem problem = FailureCode.KILL_SWITCH.isOf(objection) ? Problem.KILL_SWITCH : Problem.RISK_LIMIT;
        return refused(problem, objection.text());
    }

    private Problem.Refusal refused(Problem problem, String whatToDo) {
        load.refused(problem);
        return problem.because(whatToDo);
    }
}
