package dev.berth.workflows.order;

import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was decided last about an order, where it waits, and what comes next, for operators.
 *
 * @param where the task queue or the party that has it
 * @param lastDecision the last step of its workflow, and why
 * @param next what happens without an external event
 * @param at when that is due; null when it waits for others, or comes again and again
 */
public record OrderOutlook(
        String where,
        String lastDecision,
        String next,
        @Nullable Instant at) {

    /** The outlook of an order by the state that its workflow, or the read model, has. */
    public static OrderOutlook of(OrderState order) {
        UserId user = order.request().userId();
        return switch (order.status()) {
            case PENDING -> order.reason() == null ? queued(order) : declined(order);
            case DISPATCHED ->
                new OrderOutlook(
                        "in the hand of the user's worker",
                        "a worker took it",
                        "the venue answers; if not, the outcome is unknown and the venue is asked",
                        order.dispatchedAt() == null
                                ? null
                                : order.dispatchedAt().plus(OrderPolicies.submitLimit()));
            case UNKNOWN -> unknown(order);
            case NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE -> working(order);
            case FILLED, CANCELED, REJECTED, EXPIRED, FAILED ->
                new OrderOutlook(
                        "nowhere: it is over",
                        "it ended as " + order.status() + because(order),
                        FailureCode.isRequeueable(order.reason()) && order.status() == OrderStatus.FAILED
                                ? "nothing, unless a person requeues it before its deadline: ./berth requeue " + user
                                        + ":" + order.request().clientOrderId()
                                : "nothing",
                        null);
        };
    }

    private static OrderOutlook queued(OrderState order) {
        return new OrderOutlook(
                "in the task queue " + TaskQueues.ordersOf(order.request().userId()),
                "handed to the user's queue" + (order.attempts() > 1 ? ", attempt " + order.attempts() : ""),
                "a worker takes it; if none does, it fails as not-taken",
                order.request().deadline());
    }

    private static OrderOutlook declined(OrderState order) {
        PendingWork.Pause pause =
                order.pending() == null ? null : order.pending().pause();
        return new OrderOutlook(
                "in its workflow, until the pause is over",
                "a worker sent nothing" + because(order),
                "handed to the user's queue again",
                pause == null ? null : pause.until());
    }

    private static OrderOutlook unknown(OrderState order) {
        Instant absentSince =
                order.pending() == null ? null : order.pending().venue().absentSince();
        return new OrderOutlook(
                "in the task queue " + TaskQueues.controlOf(order.request().userId()) + ", as a question to the venue",
                "the outcome is unknown" + because(order),
                absentSince == null
                        ? "the venue is asked, again and again until it answers"
                        : "the venue does not have it; asked once more, and absent again, it is sent again or fails",
                absentSince == null ? null : absentSince.plus(OrderPolicies.SETTLE));
    }

    private static OrderOutlook working(OrderState order) {
        PendingWork work = Objects.requireNonNullElse(order.pending(), PendingWork.NONE);
        boolean isUnanswered = work.venue().unanswered() != null;
        Duration pause = OrderPolicies.checkPause(work.venue());
        return new OrderOutlook(
                "at the venue" + (order.venueOrderId() == null ? "" : ", as " + order.venueOrderId()),
                switch (order.status()) {
                            case PENDING_CANCEL -> "the venue was asked to cancel it";
                            case PENDING_REPLACE -> "the venue was asked to replace it";
                            default ->
                                "the venue reported " + order.status().name().toLowerCase(Locale.ROOT);
                        }
                        + because(order),
                isUnanswered
                        ? "no worker could ask the venue; asked again and again"
                        : "the venue reports; if not, it is asked after " + pause,
                null);
    }

    private static String because(OrderState order) {
        return order.reason() == null ? "" : ", because: " + order.reason();
    }
}
