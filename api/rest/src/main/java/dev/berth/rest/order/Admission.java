package dev.berth.rest.order;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.rest.Problem;
import dev.berth.rest.risk.AdmissionDecision;
import dev.berth.rest.risk.AdmissionGate;
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
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Admits orders by the active-order limit, kill switches and risk limits. */
@Component
class Admission {
    /** Every reason to refuse an order. */
    static final List<Problem> REFUSALS = List.of(
            Problem.TOO_MANY_ORDERS,
            Problem.ORDER_RATE,
            Problem.KILL_SWITCH,
            Problem.RISK_LIMIT,
            Problem.CREDENTIALS_REFUSED,
            Problem.UNAVAILABLE);

    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

    private final AdmissionGate gate;
    private final ActiveOrders active;
    private final AdmissionLoad load;

    Admission(AdmissionGate gate, ActiveOrders active, AdmissionLoad load) {
        this.gate = gate;
        this.active = active;
        this.load = load;
    }

    /**
     * An order's place in the count of active orders. Closing it releases the place unless
     * {@link #keep} was called.
     */
    final class Entry implements AutoCloseable {
        private final ActiveOrders.ActiveOrder order;
        private final boolean hasWorker;
        private final Optional<Reason> objection;
        private boolean withdrawing;

        private Entry(OrderRequest order, boolean isCounted, boolean hasWorker, Optional<Reason> objection) {
            this.order = new ActiveOrders.ActiveOrder(order.userId(), order.clientOrderId());
            this.withdrawing = isCounted;
            this.hasWorker = hasWorker;
            this.objection = objection;
        }

        /**
         * Why the order must not start; a repeated submission of a started order is still answered.
         */
        Optional<Reason> objection() {
            return objection;
        }

        boolean hasWorker() {
            return hasWorker;
        }

        /** Call it when the order is or may be started: it counts until its first answer. */
        void keep() {
            withdrawing = false;
        }

        /** Call it when the venue has answered, since the workflow may record that later. */
        void answered() {
            remove(active::release);
        }

        /** Call it when the order was not started, or was answered before this submission. */
        void release() {
            remove(active::withdraw);
        }

        private void remove(Consumer<ActiveOrders.ActiveOrder> removal) {
            withdrawing = false;
            try {
                removal.accept(order);
            } catch (RedisException unavailable) {
                LOG.warn(
                        "order stays counted until the next correction, Redis does not answer: {}",
                        unavailable.getMessage());
            }
        }

        @Override
        public void close() {
            if (withdrawing) {
                release();
            }
        }
    }

    /**
     * Admits and counts the order. A repeated submission counts once.
     *
     * @throws Problem.Refusal when the order cannot be admitted now
     */
    Entry admit(OrderRequest order) throws InterruptedException {
        return switch (ask(order)) {
            case AdmissionDecision.Admitted(boolean isNew, boolean hasWorker, long now) -> {
                load.update(now);
                yield new Entry(order, isNew, hasWorker, Optional.empty());
            }
            case AdmissionDecision.Objected(Reason reason, long now, boolean counted) -> {
                load.update(now);
                yield new Entry(order, counted, false, Optional.of(reason));
            }
            case AdmissionDecision.TooFast(Duration early, long now) -> {
                load.update(now);
                throw refused(
                                Problem.ORDER_RATE,
                                "Account " + order.account()
                                        + " exceeds its orders per second. Submit fewer, or ask for a higher ordersPerSecond.")
                        .after(Math.max(1, early.plusMillis(999).toSeconds()));
            }
            case AdmissionDecision.Full(AdmissionDecision.Drain drain, long now, boolean ofUser) -> {
                load.update(now);
                throw refused(
                                Problem.TOO_MANY_ORDERS,
                                (ofUser ? "Too many of your orders" : "Too many orders")
                                        + " wait for the venue's first answer. Submit this order again with the same"
                                        + " id after retryAfter seconds.")
                        .after(RetryAfter.seconds(drain, ThreadLocalRandom.current()::nextDouble));
            }
            case AdmissionDecision.NotLoaded _ ->
                throw refused(
                                Problem.UNAVAILABLE,
                                "Kill switches and limits are being loaded. The order was not accepted; try again in a second.")
                        .after(1);
        };
    }

    /** Refuses without Redis, since the kill switches are unknown then. */
    private AdmissionDecision ask(OrderRequest order) throws InterruptedException {
        try {
            return gate.admit(order);
        } catch (ExecutionException | TimeoutException | RedisException unavailable) {
            LOG.warn("order refused, Redis does not answer: {}", unavailable.toString());
            throw refused(
                            Problem.UNAVAILABLE,
                            "Redis does not answer. The order was not accepted; try again in a few seconds.")
                    .after(1);
        }
    }

    /** The problem for an order that has an objection. */
    Problem.Refusal refusal(Reason objection) {
        if (FailureCode.CREDENTIALS_REFUSED.isOf(objection)) {
            return refused(Problem.CREDENTIALS_REFUSED, objection.text());
        }
        return refused(
                FailureCode.KILL_SWITCH.isOf(objection) ? Problem.KILL_SWITCH : Problem.RISK_LIMIT, objection.text());
    }

    private Problem.Refusal refused(Problem problem, String whatToDo) {
        load.refused(problem);
        return problem.because(whatToDo);
    }
}
