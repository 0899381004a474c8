package dev.berth.workflows.order;

import static dev.berth.workflows.order.OrderProgress.now;
import static dev.berth.workflows.order.OrderProgress.pause;

import dev.berth.workflows.Changes;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Pauses;
import dev.berth.workflows.Waiting;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** An order that the venue has: fills and cancels are pushed as reports, delayed checks catch what a push lost. */
final class WorkingOrder {
    /** Each names a change of this code in histories. */
    private static final String ATTENTIVE = "attentive-while-replacing";

    private static final String HEARS_WHILE_CANCELING = "hears-while-canceling";

    private static final String FINDS_REPLACEMENTS = "finds-replacements";

    private final OrderProgress at;
    private final Pauses checks = new Pauses(OrderPolicies.FIRST_CHECK, OrderPolicies.SLOWEST_CHECK);
    private final Questions questions = new Questions();
    /**
     * Whether the leg at the venue may fill more than was wanted of it. While it may, something stays wanted, and no new
     * run begins that would not know of this.
     */
    private boolean tooLarge;

    WorkingOrder(OrderProgress at) {
        this.at = at;
    }

    /** One step of it. */
    void follow() {
        Terms wanted = at.wanted();
        if (at.isCancelWanted()) {
            cancel();
        } else if (wanted != null) {
            replace(wanted);
            checks.reset();
        } else if (at.hasNews()) {
            hearNews();
        } else if (!Waiting.until(
                checks.next(), "then check at the venue", () -> at.isChangeWanted() || at.hasNews())) {
            check();
        } else {
            checks.repeat();
        }
    }

    private void check() {
        if (find(at.order().leg().number()) instanceof FindOutcome.Found(var report)) {
            hear(report);
            if (OrderPolicies.REPLACED.equals(report.venueStatus()) && !isReplacedByUs(report)) {
                at.become(OrderStatus.CANCELED, OrderFailures.replacedElsewhere());
                at.callForAPerson();
            }
        } else {
            at.worker.ensure(at.order().status());
        }
    }

    /** A run that was ended in the middle of a replacement may have got through with it; nobody is there to say so. */
    private boolean isReplacedByUs(VenueReport before) {
        int tried = at.order().replaces();
        if (tried <= before.leg() || !Changes.isMade(FINDS_REPLACEMENTS)) {
            return false;
        }
        switch (find(tried)) {
            case FindOutcome.Found(var next) -> {
                replaced(asFoundIn(next), before, next);
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

    /** The venue tells how much it may still trade; its prices are known to whoever wanted them alone. */
    private Terms asFoundIn(VenueReport next) {
        Terms known = at.order().terms();
        return next.quantity() == null
                ? known
                : new Terms(
                        new Decimal(at.order()
                                .filledQuantity()
                                .value()
                                .add(next.quantity().value())),
                        known.limitPrice(),
                        known.stopPrice());
    }

    private void hearNews() {
        minding(at::hearNews);
    }

    private void hear(VenueReport report) {
        minding(() -> at.hear(report));
    }

    /** When the venue rejects the newest leg, the one before it is there again, and may have filled long ago. */
    private void minding(Runnable hearing) {
        int leg = at.order().leg().number();
        hearing.run();
        if (at.order().leg().number() != leg) {
            tooLarge = false;
            checks.reset();
        }
    }

    private @Nullable FindOutcome find(int leg) {
        return OrderProgress.ask(
                () -> at.venue.find(new FindOrder(at.request, leg, at.order().attempts())));
    }

    private void cancel() {
        if (cancelLeg()) {
            questions.answered();
            at.answered();
            at.canceled();
            // What becomes of it comes soon, however long nothing came before.
            checks.reset();
        } else {
            at.unanswered(questions);
            awaitNextCancel();
        }
    }

    private void awaitNextCancel() {
        String summary = "nobody could say; then ask again";
        if (!Changes.isMade(HEARS_WHILE_CANCELING)) {
            pause(questions.next(), summary);
        } else if (Waiting.until(questions.next(), summary, at::hasNews)) {
            while (at.hasNews() && !at.order().status().isFinal()) {
                hearNews();
            }
        }
    }

    /** A replacement that is not answered may be at the venue: it has an unknown of its own. */
    private void replace(Terms wanted) {
        if (isFilledAsFarAs(wanted)) {
            tooLate(wanted);
            return;
        }
        Leg current = at.order().leg();
        at.change(at.order().replacing(now()));
        at.worker.ensure(at.order().status());
        ReplaceOrder order =
                new ReplaceOrder(at.request, current.number(), at.order().replaces(), wanted, filledBefore(current));
        switch (OrderProgress.ask(() -> at.venue.replace(order))) {
            case ReplaceOutcome.Replaced(var before, var next) -> replaced(wanted, before, next);
            case ReplaceOutcome.NotReplaced(var report, var reason) -> notReplaced(wanted, report, reason);
            case null -> search(order);
        }
    }

    private Decimal filledBefore(Leg current) {
        BigDecimal all = at.order().filledQuantity().value();
        return new Decimal(all.subtract(current.filled().value()));
    }

    private void search(ReplaceOrder order) {
        OrderSearch search = new OrderSearch(at);
        while (!at.order().status().isFinal()) {
            if ((at.hasNews() || at.isCancelWanted()) && Changes.isMade(ATTENTIVE)) {
                attend();
            }
            switch (search.ask(order.next())) {
                case OrderSearch.Result.Found(var next)
                when find(order.current()) instanceof FindOutcome.Found(var before) -> {
                    replaced(order.wanted(), before, next);
                    return;
                }
                case OrderSearch.Result.Absent _
                when find(order.current()) instanceof FindOutcome.Found(var report) -> {
                    notReplaced(order.wanted(), report, OrderFailures.replacementLost());
                    return;
                }
                case OrderSearch.Result.Found _, OrderSearch.Result.Absent _ ->
                    pause(questions.next(), "nobody could say; then ask again");
                case OrderSearch.Result.NotYetKnown _ -> {
                    // It has waited already.
                }
            }
        }
        at.settled(order.wanted());
    }

    /**
     * While nobody knows whether it is replaced, fills are heard, and a cancel goes to the leg that surely is there. It
     * stays wanted: a replacement that turns up is canceled, too.
     */
    private void attend() {
        while (at.hasNews()) {
            hearNews();
        }
        if (at.isCancelWanted() && !at.order().status().isFinal()) {
            cancelLeg();
        }
    }

    private boolean cancelLeg() {
        if (at.order().status() != OrderStatus.PENDING_CANCEL) {
            at.become(OrderStatus.PENDING_CANCEL, null);
        }
        at.worker.ensure(at.order().status());
        CancelOrder cancel = new CancelOrder(at.request, at.order().leg().number());
        if (OrderProgress.ask(() -> at.venue.cancel(cancel)) instanceof FindOutcome.Found(var report)) {
            hear(report);
            return at.order().leg().number() == cancel.leg();
        }
        return false;
    }

    private void replaced(Terms wanted, VenueReport before, VenueReport next) {
        if (next.isRejectedUnfilled() && OrderProgress.outlivesReplacements()) {
            notReplaced(wanted, before, OrderFailures.replacementRejected());
            return;
        }
        questions.answered();
        at.book(before);
        at.book(next);
        at.change(at.order().replaced(wanted, before, next));
        tooLarge = isTooMuch(wanted, next);
        if (!tooLarge) {
            at.settled(wanted);
        }
    }

    /** A fill came between the worker's question and its write: then the same is wanted once more. */
    private boolean isTooMuch(Terms wanted, VenueReport next) {
        if (next.quantity() == null || at.order().status().isFinal()) {
            return false;
        }
        BigDecimal before = at.order()
                .filledQuantity()
                .value()
                .subtract(at.order().leg().filled().value());
        return before.add(next.quantity().value()).compareTo(wanted.quantity().value()) > 0;
    }

    /** A leg that is too large can not be left as it is: the same is wanted until it is so, or the order is over. */
    private void notReplaced(Terms wanted, VenueReport current, Reason why) {
        hear(current);
        if (!tooLarge || at.order().status().isFinal()) {
            settle(wanted, why);
        } else if (!isFilledAsFarAs(wanted)) {
            linger("its leg may fill more than is wanted; then replace again");
        }
    }

    private void tooLate(Terms wanted) {
        if (tooLarge) {
            takeBack();
        } else {
            settle(wanted, OrderFailures.tooLateToReplace());
        }
    }

    /** All that is wanted is filled, and the leg may fill more: it is canceled, until the venue says that it is over. */
    private void takeBack() {
        at.wantCancel();
        cancel();
        linger("the cancel is not confirmed; then cancel again");
    }

    /** Waits a while, or until there is something to do at once. */
    private void linger(String summary) {
        if (!at.order().status().isFinal()
                && Waiting.until(questions.next(), summary, () -> at.isCancelWanted() || at.hasNews())
                && at.hasNews()) {
            hearNews();
        }
    }

    private boolean isFilledAsFarAs(Terms wanted) {
        return wanted.quantity().compareTo(at.order().filledQuantity()) <= 0;
    }

    /** The order is as it was, and says why it is not otherwise. */
    private void settle(Terms wanted, Reason why) {
        questions.answered();
        if (!at.order().status().isFinal()) {
            at.change(at.order().noted(why, now()));
        }
        at.settled(wanted);
    }
}
