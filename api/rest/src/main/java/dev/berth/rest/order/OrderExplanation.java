package dev.berth.rest.order;

import static dev.berth.rest.ExplanationText.line;

import dev.berth.rest.worker.WorkerView;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderOutlook;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explains the state of an order and the next action. In a read that cannot be recorded in the
 * audit, what tells of the order is absent.
 *
 * @param missing the servers that did not answer: {@code postgresql}
 * @param since when its last step happened
 * @param deadline the order is not sent to the venue after this time
 * @param outlook where it waits, the last decision, the next action and its time
 * @param worker the user's worker, which sends the order and answers for it
 * @param text the explanation as text
 */
record OrderExplanation(
        Set<String> missing,
        UserId userId,
        String clientOrderId,
        @Nullable OrderStatus status,
        @Nullable String reason,
        @Nullable Instant since,
        @Nullable Instant deadline,
        @Nullable Integer attempts,
        @Nullable Long workerEpoch,
        @Nullable OrderOutlook outlook,
        WorkerView worker,
        String text) {

    static OrderExplanation of(OrderState order, WorkerView worker) {
        OrderOutlook outlook = OrderOutlook.of(order);
        return new OrderExplanation(
                Set.of(),
                order.request().userId(),
                order.request().clientOrderId().value(),
                order.status(),
                Objects.toString(order.reason(), null),
                order.changedAt(),
                order.request().deadline(),
                order.attempts(),
                order.workerEpoch(),
                outlook,
                worker,
                text(order, outlook, worker));
    }

    /** The read is not in the audit. */
    static OrderExplanation unrecorded(UserId userId, ClientOrderId id, WorkerView worker) {
        WorkerView shown = worker.unrecorded();
        StringBuilder text = new StringBuilder("Order %s of %s is not shown.%n".formatted(id, userId));
        line(text, "worker", worker(shown));
        line(text, "not shown", "the order: PostgreSQL does not answer, so the read is not in the audit");
        return new OrderExplanation(
                Set.of("postgresql"),
                userId,
                id.value(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                shown,
                text.toString());
    }

    private static String text(OrderState order, OrderOutlook outlook, WorkerView worker) {
        StringBuilder text = new StringBuilder("Order %s of %s is %s since %s.%n"
                .formatted(
                        order.request().clientOrderId(), order.request().userId(), order.status(), order.changedAt()));
        line(text, "reason", order.reason() == null ? "none given" : order.reason());
        line(text, "waits", outlook.where());
        line(text, "worker", worker(worker));
        line(text, "order in hand", worker.currentOrder() == null ? "none" : worker.currentOrder());
        line(text, "attempts", order.attempts());
        if (order.workerEpoch() != null) {
            line(text, "last answer by", "worker epoch " + order.workerEpoch());
        }
        line(text, "last decision", outlook.lastDecision());
        line(text, "deadline to send", order.request().deadline());
        line(text, "next", outlook.at() == null ? outlook.next() : outlook.next() + ", due at " + outlook.at());
        return text.toString();
    }

    private static String worker(WorkerView worker) {
        String process = worker.taskArn() == null ? "" : ", " + worker.pid() + " on " + worker.host();
        String reason = worker.reason() == null ? "" : ", because: " + worker.reason();
        return worker.state() + ", epoch " + worker.epoch() + process + reason;
    }
}
