package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.WorkflowTasks;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order that the venue has: fills and cancels are pushed as reports, delayed checks catch what a
 * push lost.
 */
final class WorkingOrder {
    final OrderReplacement replacement;
    private final CurrentOrder order;

    WorkingOrder(CurrentOrder order, UnknownOrderResolver resolver) {
        this.order = order;
        this.replacement = new OrderReplacement(order, this, resolver);
    }

    /** Whatever comes until then plans the check anew. */
    void planCheck() {
        Duration pause = OrderPolicies.checkPause(order.pending().venue());
        order.pause(untilCall(pause), "then check at the venue");
    }

    void check() {
        if (order.state().status() == OrderStatus.NEW && order.pending().venue().checks() == 0) {
            OrderVisibility.showStatus(order.state());
        }
        FindOutcome outcome = ask();
        order.update(venue -> venue.checked(outcome instanceof FindOutcome.Found(var _, var streamed) && streamed));
        if (outcome instanceof FindOutcome.Found(var report, var _)) {
            order.apply(report);
            if (OrderPolicies.REPLACED.equals(report.venueStatus()) && !isReplacedByUs(report)) {
                order.become(OrderStatus.CANCELED, OrderFailures.replacedElsewhere());
            }
        } else {
            order.worker.ensure(order.state().status());
        }
    }

    /** When the venue has had long enough to confirm what it was asked for. */
    @Nullable
    Instant callDueAt(Instant now) {
        return order.isWorking() && !order.pending().isRequested()
                ? order.state().unconfirmedAt()
                : null;
    }

    /** A person is called. */
    void callForUnconfirmed() {
        order.change(order.state().because(OrderFailures.unconfirmed(), WorkflowTasks.now()));
    }

    /** So long, or until a person should be called. */
    private Duration untilCall(Duration pause) {
        Instant due = order.state().unconfirmedAt();
        Duration left = due == null ? pause : Duration.between(WorkflowTasks.now(), due);
        return left.compareTo(pause) < 0 ? left : pause;
    }

    /** With the executions when some are missing, and can be had. */
    private @Nullable FindOutcome ask() {
        int version = order.state().currentVersion().number();
        FindOrder question = new FindOrder(order.request, version, order.state().attempts());
        if (order.lacksExecutions()
                && CurrentOrder.askAbout(version, () -> order.venue.findExecutions(question))
                        instanceof FindOutcome.Found found) {
            return found;
        }
        return CurrentOrder.askAbout(version, () -> order.venue.check(question));
    }

    /**
     * A run that was ended in the middle of a replacement may have got through with it, which that
     * run could not record.
     */
    private boolean isReplacedByUs(ExecutionReport before) {
        int tried = order.state().replaces();
        if (tried <= before.version()) {
            return false;
        }
        switch (find(tried)) {
            case FindOutcome.Found(var next, var _) -> {
                replacement.replaced(termsOf(next), before, next);
                return true;
            }
            case FindOutcome.Absent _ -> {
                return false;
            }
            case null -> {
                // The next check asks again.
                return true;
            }
        }
    }

    /**
     * The venue reports how much it may still trade; only the run that was ended knew the requested
     * prices.
     */
    private OrderTerms termsOf(ExecutionReport next) {
        OrderTerms known = order.state().terms();
        return next.quantity() == null
                ? known
                : new OrderTerms(
                        Decimal.sum(order.state()
                                .filledQuantity()
                                .value()
                                .add(next.quantity().value())),
                        known.limitPrice(),
                        known.stopPrice());
    }

    @Nullable
    FindOutcome find(int version) {
        return CurrentOrder.askAbout(
                version,
                () -> order.venue.find(
                        new FindOrder(order.request, version, order.state().attempts())));
    }

    void cancel() {
        if (cancelVersion()) {
            boolean isTriedAgain = order.pending().venue().mayOverfill()
                    && FailureCode.NOT_CANCELED.isOf(order.state().reason());
            if (!isTriedAgain) {
                order.answered();
            }
            order.canceled();
            // Its confirmation comes soon, however long nothing came before.
            order.update(PendingWork.Venue::active);
        } else if (!order.isFinal()) {
            order.pauseUnanswered("no worker could cancel; then cancel again");
        }
    }

    /**
     * False when no worker could cancel, or when the venue does not have this version any more. Who
     * requests a cancel asks for a worker that is missing; a cancel that no worker answered does so
     * itself.
     */
    boolean cancelVersion() {
        boolean isFirst = order.state().status() != OrderStatus.PENDING_CANCEL;
        if (isFirst) {
            order.canceling();
        }
        if (order.isUnanswered()) {
            order.worker.ensure(order.state().status());
        }
        CancelOrder cancel =
                new CancelOrder(order.request, order.state().currentVersion().number());
        FindOutcome outcome = CurrentOrder.askAbout(cancel.version(), () -> order.venue.cancel(cancel));
        if (outcome instanceof FindOutcome.Found(var report, var _)) {
            order.apply(report);
        }
        if (isFirst && order.state().status() == OrderStatus.PENDING_CANCEL) {
            OrderVisibility.showStatus(order.state());
        }
        order.write();
        return outcome instanceof FindOutcome.Found
                && order.state().currentVersion().number() == cancel.version();
    }
}
