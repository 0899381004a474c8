package dev.berth.api.fleet;

import dev.berth.api.worker.WorkerView;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Explains the state of a user's worker and the next action.
 *
 * @param group of the user: what the next worker is launched as
 * @param lastDecision the last action of the lifecycle, and its reason
 * @param ordersInFlight how many of the user's orders are not final
 * @param orders up to 20 of them
 * @param lastOrder the last order that a worker of this user took, the present one or an earlier
 *     one; absent before the first
 * @param text the explanation as text
 */
record Explanation(
        WorkerView worker,
        String group,
        String lastDecision,
        long ordersInFlight,
        List<OpenOrder> orders,
        @Nullable LastOrder lastOrder,
        String text) {
    /** An order that is not final. */
    record OpenOrder(String clientOrderId, String status) {}

    /**
     * An order that a worker took.
     *
     * @param at when the worker took it; when it last changed, if that is not known
     * @param workerEpoch of the worker that had the venue's last answer; absent before an answer
     */
    record LastOrder(
            String clientOrderId,
            OrderStatus status,
            Instant at,
            @Nullable Long workerEpoch) {
        static LastOrder of(OrderState order) {
            return new LastOrder(
                    order.request().clientOrderId().value(),
                    order.status(),
                    Objects.requireNonNullElse(order.dispatchedAt(), order.changedAt()),
                    order.workerEpoch());
        }
    }

    static Explanation of(
            WorkerView worker,
            String group,
            long ordersInFlight,
            Map<ClientOrderId, OrderStatus> open,
            @Nullable OrderState lastTaken) {
        List<OpenOrder> orders = open.entrySet().stream()
                .map(order ->
                        new OpenOrder(order.getKey().value(), order.getValue().name()))
                .toList();
        String decision = decision(worker);
        LastOrder lastOrder = lastTaken == null ? null : LastOrder.of(lastTaken);
        return new Explanation(
                worker,
                group,
                decision,
                ordersInFlight,
                orders,
                lastOrder,
                ExplanationFormatter.format(worker, group, decision, ordersInFlight, orders, lastOrder));
    }

    private static String decision(WorkerView worker) {
        if (worker.since() == null) {
            return "none: this user never had a worker";
        }
        String why = worker.reason() == null ? "" : ", because: " + worker.reason();
        return switch (worker.state()) {
            case POOL_IDLE -> "waits in the pool";
            case CLAIMED -> "asked for a pool worker";
            case LAUNCHING -> "asked ECS for a task, since no pool worker was there or answered";
            case CONNECTING -> "had the process open its broker session" + why;
            case ACTIVE, PROCESSING -> "gave the worker its orders";
            case HEALTH_CHECK -> "asked the worker whether it lives" + why;
            case RECONNECTING -> "gave the worker up, to start another" + why;
            case DRAINING -> "told the worker to finish and close" + why;
            case TERMINATED -> "let the worker end" + why;
            case SUSPENDED -> "holds every start back" + why;
            case FAILED -> "gave up connecting" + why;
        };
    }
}
