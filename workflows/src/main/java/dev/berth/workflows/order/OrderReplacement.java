package dev.berth.workflows.order;

import static dev.berth.workflows.WorkflowTasks.now;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.PendingWork.UnresolvedReplacement;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Other terms for an order that the venue has. A replacement without an answer has an unknown of
 * its own.
 */
final class OrderReplacement {
    private final CurrentOrder order;
    private final WorkingOrder working;
    private final UnknownOrderResolver resolver;

    OrderReplacement(CurrentOrder order, WorkingOrder working, UnknownOrderResolver resolver) {
        this.order = order;
        this.working = working;
        this.resolver = resolver;
    }

    void replace() {
        OrderTerms terms = Objects.requireNonNull(order.requestedTerms());
        order.update(PendingWork.Venue::active);
        if (isFilledAsFarAs(terms)) {
            tooLate(terms);
            return;
        }
        OrderVersion current = order.state().currentVersion();
        order.change(order.state().replacing(now()));
        order.worker.ensure(order.state().status());
        ReplaceOrder command = new ReplaceOrder(
                order.request, current.number(), order.state().replaces(), terms, filledBefore(current));
        switch (CurrentOrder.ask(() -> order.venue.replace(command))) {
            case ReplaceOutcome.Replaced(var before, var next)
            when before.version() == current.number() && next.version() == command.next() ->
                replaced(terms, before, next);
            case ReplaceOutcome.NotReplaced(var report, var reason)
            when report.version() == current.number() -> notReplaced(terms, report, reason);
            case null, default ->
                order.update(work -> work.resolving(new UnresolvedReplacement(current.number(), terms)));
        }
    }

    private BigDecimal filledBeforeValue(OrderVersion current) {
        return order.state().filledQuantity().value().subtract(current.filled().value());
    }

    private Decimal filledBefore(OrderVersion current) {
        return new Decimal(filledBeforeValue(current));
    }

    private @Nullable UnresolvedReplacement unresolved() {
        return order.pending().venue().unresolvedReplacement();
    }

    boolean isUnresolved() {
        return unresolved() != null;
    }

    /**
     * A cancel goes to the version that surely is there. It stays requested: a replacement that
     * turns up is canceled, too.
     */
    void resolve() {
        UnresolvedReplacement unresolved = Objects.requireNonNull(unresolved());
        if (order.isCancelRequested()) {
            working.cancelVersion();
            if (order.isFinal()) {
                return;
            }
        }
        switch (resolver.ask(order.state().replaces())) {
            case UnknownOrderResolver.Resolution.Known(var next)
            when working.find(unresolved.current()) instanceof FindOutcome.Found(var before, var _) -> {
                order.update(work -> work.resolving(null));
                replaced(unresolved.terms(), before, next);
            }
            case UnknownOrderResolver.Resolution.ProvenAbsent _ when order.hasReports() -> {
                // They are applied first, and may tell otherwise.
            }
            case UnknownOrderResolver.Resolution.ProvenAbsent _
            when working.find(unresolved.current()) instanceof FindOutcome.Found(var report, var _) -> {
                order.update(work -> work.resolving(null));
                notReplaced(unresolved.terms(), report, OrderFailures.replacementLost());
            }
            case UnknownOrderResolver.Resolution.Known _, UnknownOrderResolver.Resolution.ProvenAbsent _ ->
                order.pauseUnanswered("no worker could find out; then ask again");
            case UnknownOrderResolver.Resolution.NotYetKnown _ -> {
                // The order is paused already.
            }
        }
    }

    void replaced(OrderTerms terms, ExecutionReport before, ExecutionReport next) {
        if (next.isRejectedUnfilled()) {
            notReplaced(terms, before, OrderFailures.replacementRejected());
            return;
        }
        order.recordExecutions(before);
        order.recordExecutions(next);
        order.change(order.state().replaced(terms, before, next));
        boolean couldOverfill = mayOverfill();
        boolean mayOverfill = isTooMuch(terms, next);
        order.update(
                work -> work.withUnanswered(null).withMayOverfill(mayOverfill).active());
        if (!mayOverfill) {
            order.settled(terms);
        } else if (couldOverfill) {
            order.pauseBeforeRetry("its version may fill more than is requested; then replace again");
        }
    }

    /**
     * A fill came between the worker's question and its write: then the same is requested once
     * more.
     */
    private boolean isTooMuch(OrderTerms terms, ExecutionReport next) {
        return next.quantity() != null
                && !order.isFinal()
                && filledBeforeValue(order.state().currentVersion())
                                .add(next.quantity().value())
                                .compareTo(terms.quantity().value())
                        > 0;
    }

    /**
     * A version that may overfill cannot stay: the terms stay requested until the version has them,
     * or the order is over.
     */
    private void notReplaced(OrderTerms terms, ExecutionReport current, Reason why) {
        order.apply(current);
        if (!mayOverfill()) {
            settle(terms, why);
        } else if (!isFilledAsFarAs(terms)) {
            order.pauseBeforeRetry("its version may fill more than is requested; then replace again");
        }
    }

    private void tooLate(OrderTerms terms) {
        if (mayOverfill()) {
            cancelExcess();
        } else {
            settle(terms, OrderFailures.tooLateToReplace());
        }
    }

    /**
     * All that is requested is filled, and the version may fill more: it is canceled until the
     * venue confirms.
     */
    private void cancelExcess() {
        order.scheduleCancel();
        working.cancel();
        if (!order.isFinal() && !order.isCancelRequested()) {
            order.pauseBeforeRetry("the cancel is not confirmed; then cancel again");
        }
    }

    private boolean mayOverfill() {
        return order.pending().venue().mayOverfill() && !order.isFinal();
    }

    private boolean isFilledAsFarAs(OrderTerms terms) {
        return terms.quantity().compareTo(order.state().filledQuantity()) <= 0;
    }

    /** The order stays as it was, with the reason. */
    private void settle(OrderTerms terms, Reason why) {
        order.update(work -> work.withUnanswered(null));
        if (!order.isFinal()) {
            order.change(order.state().because(why, now()));
        }
        order.settled(terms);
    }
}
