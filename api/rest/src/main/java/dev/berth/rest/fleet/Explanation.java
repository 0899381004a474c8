package dev.berth.rest.fleet;

import dev.berth.activities.risk.SuspensionStore.Suspension;
import dev.berth.rest.worker.WorkerView;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explains the state of a user's worker and the next action.
 *
 * @param missing the servers that did not answer: {@code postgresql}; what they know is absent
 * @param group of the user: what the next worker is launched as; absent while PostgreSQL is
 *     unreachable
 * @param suspensions that hold the user's orders, of the user and of all; each with reason,
 *     operator and time; none while PostgreSQL is unreachable
 * @param lastDecision the last action of the lifecycle, and its reason
 * @param ordersInFlight how many of the user's orders are not final; absent in a read that cannot
 *     be recorded
 * @param orders up to 20 of them
 * @param lastOrder the last order that a worker of this user took, the present one or an earlier
 *     one; absent before the first, and while PostgreSQL is unreachable
 * @param text the explanation as text
 */
record Explanation(
        Set<String> missing,
        WorkerView worker,
        @Nullable String group,
        List<String> suspensions,
        String lastDecision,
        @Nullable Long ordersInFlight,
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

    /** The read is not in the audit. */
    static Explanation unrecorded(WorkerView worker) {
        WorkerView shown = worker.unrecorded();
        String decision = decision(shown);
        return new Explanation(
                Set.of(PartialAnswer.POSTGRESQL),
                shown,
                null,
                List.of(),
                decision,
                null,
                List.of(),
                null,
                ExplanationFormatter.unrecorded(shown, decision));
    }

    static Explanation of(
            Set<String> missing,
            WorkerView worker,
            @Nullable UserGroup group,
            List<Suspension> suspensions,
            long ordersInFlight,
            Map<ClientOrderId, OrderStatus> open,
            @Nullable OrderState lastTaken) {
        List<OpenOrder> orders = open.entrySet().stream()
                .map(order ->
                        new OpenOrder(order.getKey().value(), order.getValue().name()))
                .toList();
        String decision = decision(worker);
        LastOrder lastOrder = lastTaken == null ? null : LastOrder.of(lastTaken);
        String groupName = group == null ? null : group.name();
        List<String> holds = suspensions.stream().map(Explanation::named).toList();
        return new Explanation(
                missing,
                worker,
                groupName,
                holds,
                decision,
                ordersInFlight,
                orders,
                lastOrder,
                ExplanationFormatter.format(
                        missing, worker, groupName, holds, decision, ordersInFlight, orders, lastOrder));
    }

    private static String named(Suspension suspension) {
        String whose = suspension.userId() == null ? "all users" : "this user";
        return "%s since %s: %s (%s)".formatted(whose, suspension.at(), suspension.reason(), suspension.by());
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
