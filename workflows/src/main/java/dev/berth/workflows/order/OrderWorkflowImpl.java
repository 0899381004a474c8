package dev.berth.workflows.order;

import dev.berth.workflows.Changes;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;

/** Sends an order until the venue has answered or the deadline passed, then follows it to its final state. */
public final class OrderWorkflowImpl implements OrderWorkflow {
    /** Each names a change of this code in histories. */
    private static final String NEWS_BEFORE_ABSENCE = "news-before-absence";

    private static final String CANCEL_GOES_ON = "cancel-goes-on";

    private final OrderProgress at;
    private final OrderDispatch dispatch;
    private final OrderSearch search;
    private final WorkingOrder working;

    @WorkflowInit
    public OrderWorkflowImpl(OrderState order) {
        this.at = new OrderProgress(order);
        this.dispatch = new OrderDispatch(at);
        this.search = new OrderSearch(at);
        this.working = new WorkingOrder(at);
    }

    @Override
    public OrderState run(OrderState input) {
        // Whoever cancels the workflow itself, as the Web UI can, wants the order canceled, not forgotten.
        CancellationScope.current().getCancellationRequest().thenApply(_ -> {
            at.wantCancel();
            return true;
        });
        Workflow.newDetachedCancellationScope(this::carry).run();
        return at.order();
    }

    private void carry() {
        if (FailureCode.ADOPTED.isOf(at.order().reason())) {
            at.note(at.order());
            at.write();
        } else if (at.order().status() == OrderStatus.UNKNOWN) {
            // Requeued by a person: who and why stands in this first step.
            at.note(at.order());
        }
        if (at.order().status() == OrderStatus.PENDING_CANCEL && Changes.isMade(CANCEL_GOES_ON)) {
            // The run before may have ended before anybody could cancel it; twice does no harm.
            at.wantCancel();
        }
        while (!at.order().status().isFinal()) {
            if (isLong()) {
                Workflow.continueAsNew(at.order());
            }
            switch (at.order().status()) {
                case PENDING, DISPATCHED -> dispatch.dispatch();
                case UNKNOWN -> find();
                case NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE -> working.follow();
                case FILLED, CANCELED, REJECTED, EXPIRED, FAILED -> throw new IllegalStateException("it is over");
            }
        }
        end();
    }

    /** What came meanwhile is booked, and whoever waits is answered. */
    private void end() {
        at.finish();
        at.hearLateNews();
        at.closeLedger();
        do {
            at.finish();
            at.hearLateNews();
            Workflow.await(Workflow::isEveryHandlerFinished);
        } while (at.hasNews());
    }

    private void find() {
        if (at.hasNews()) {
            at.hearNews();
            return;
        }
        switch (search.ask(at.order().leg().number())) {
            case OrderSearch.Result.Found(var report) -> at.hear(report);
            case OrderSearch.Result.Absent _ when at.hasNews() && Changes.isMade(NEWS_BEFORE_ABSENCE) -> at.hearNews();
            case OrderSearch.Result.Absent _ -> notAtVenue();
            case OrderSearch.Result.NotYetKnown _ -> {
                // It has waited already.
            }
        }
    }

    /** It surely was not sent, and may be sent again if there is time. */
    private void notAtVenue() {
        if (at.isCancelWanted()) {
            at.become(OrderStatus.CANCELED, null);
        } else if (OrderProgress.now().isBefore(at.request.deadline())) {
            at.become(OrderStatus.PENDING, null);
        } else {
            at.become(OrderStatus.FAILED, OrderFailures.notSent(at.request));
        }
    }

    @Override
    public void report(VenueReport report) {
        at.tell(report);
    }

    @Override
    public OrderState cancel() {
        boolean mayGoOn = Changes.isMade(CANCEL_GOES_ON);
        at.wantCancel();
        Workflow.await(() -> isOver() || !at.isCancelWanted() || (mayGoOn && at.isOnlyCancelLeft() && isSuggested()));
        return at.order();
    }

    @Override
    public OrderState replace(Replacement change) {
        if (!isOver()) {
            Terms terms = terms().with(change, at.request.type());
            at.want(terms);
            Workflow.await(() -> isOver() || !terms.equals(at.wanted()));
        }
        return at.order();
    }

    @Override
    public void check(Replacement change) {
        terms().with(change, at.request.type());
    }

    /** Those that are wanted already are the ones that a further change changes. */
    private Terms terms() {
        Terms wanted = at.wanted();
        return wanted == null ? at.order().terms() : wanted;
    }

    private boolean isOver() {
        return at.order().status().isFinal();
    }

    @Override
    public OrderState state() {
        return at.order();
    }

    /**
     * What came while the last steps were written is heard first: a new run knows nothing of it. Of what is wanted it
     * knows a cancel alone, by the order's status.
     */
    private boolean isLong() {
        if (!isSuggested() || !Workflow.isEveryHandlerFinished()) {
            return false;
        }
        at.finish();
        return !at.hasNews() && (!at.isChangeWanted() || (at.isOnlyCancelLeft() && Changes.isMade(CANCEL_GOES_ON)));
    }

    private static boolean isSuggested() {
        return Workflow.getInfo().isContinueAsNewSuggested();
    }
}
