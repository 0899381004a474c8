package dev.berth.workflows.order;

import static dev.berth.workflows.order.OrderProgress.jittered;
import static dev.berth.workflows.order.OrderProgress.now;
import static dev.berth.workflows.order.OrderProgress.pause;

import dev.berth.workflows.Changes;
import dev.berth.workflows.Pauses;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From "accepted" to the venue's answer, or to the deadline. */
final class OrderDispatch {
    /** Marks in the history of a reset run that the venue was asked. */
    private static final String ASKED_AFTER_RESET = "asked-after-reset";

    private final OrderProgress at;
    private final Pauses declines = new Pauses(OrderPolicies.AFTER_DECLINE, OrderPolicies.SLOWEST_ASK);
    private boolean askedAfterReset;
    /** Why the last worker did not send it; null before the first. */
    private SubmitOutcome.@Nullable Declined declined;

    OrderDispatch(OrderProgress at) {
        this.at = at;
    }

    void dispatch() {
        switch (submit()) {
            case SubmitEnd.Told(SubmitOutcome.Answered(var report, var dispatchedAt)) -> {
                at.book(report);
                at.change(at.order().dispatched(dispatchedAt).reported(report));
            }
            case SubmitEnd.Told(SubmitOutcome.Declined declined) -> declined(declined);
            case SubmitEnd.NeverTaken _ -> neverTaken();
            case SubmitEnd.Withdrawn _ -> withdrawn();
            case SubmitEnd.Unknown _ -> at.become(OrderStatus.UNKNOWN, OrderFailures.outcomeUnknown());
        }
    }

    /** Nothing stands before the submit in the first task: it is the hot path. */
    private SubmitEnd submit() {
        if (at.isChangeWanted()) {
            return new SubmitEnd.Withdrawn();
        }
        Duration timeLeft = Duration.between(now(), at.request.deadline());
        if (!timeLeft.isPositive()) {
            return new SubmitEnd.NeverTaken();
        }
        at.note(at.order().attempted(now()));
        SubmitOrder command = new SubmitOrder(
                at.request.with(at.order().terms()),
                at.order().attempts(),
                Workflow.getInfo().getFirstExecutionRunId());
        VenueOrders orders = Workflow.newActivityStub(VenueOrders.class, OrderPolicies.submit(at.request, timeLeft));
        List<Promise<SubmitOutcome>> sent = new ArrayList<>(1);
        CancellationScope submission =
                Workflow.newCancellationScope(() -> sent.add(Async.function(orders::submit, command)));
        at.submitting(submission);
        submission.run();
        CancellationScope asking = Workflow.newCancellationScope(() -> Async.procedure(this::askForWorker));
        asking.run();
        try {
            return new SubmitEnd.Told(sent.getFirst().get());
        } catch (ActivityFailure failure) {
            return SubmitEnd.of(failure);
        } finally {
            asking.cancel("no longer waiting");
            at.submitting(null);
        }
    }

    /** Runs beside a waiting order: its worker may be stopped, dead, or not yet started. */
    private void askForWorker() {
        Pauses asks = new Pauses(OrderPolicies.FIRST_ASK, OrderPolicies.SLOWEST_ASK);
        while (true) {
            pause(jittered(asks.next()), "then ask for a worker");
            at.write();
            at.worker.ensure(at.order().status());
        }
    }

    private void declined(SubmitOutcome.Declined declined) {
        switch (declined.cause()) {
            case DEADLINE_PASSED -> neverTaken();
            case CANCELED -> withdrawn();
            case RISK -> at.become(OrderStatus.FAILED, declined.reason());
            case FENCED, FORBIDDEN, NOT_SENT, NO_SESSION, HELD -> {
                this.declined = declined;
                at.worker.ensure(at.order().status());
                pause(declines.next(), "the worker declined");
            }
        }
    }

    private void neverTaken() {
        if (!isAskedAfterReset()) {
            at.become(
                    OrderStatus.FAILED,
                    declined == null
                            ? OrderFailures.notTaken(at.request)
                            : OrderFailures.declined(at.request, declined));
        }
    }

    /** This run surely did not send it: canceled, or sent next under the terms that are wanted. */
    private void withdrawn() {
        if (isAskedAfterReset()) {
            return;
        }
        Terms wanted = at.wanted();
        if (wanted == null || at.isCancelWanted()) {
            at.become(OrderStatus.CANCELED, null);
        } else {
            at.change(at.order().wanting(wanted, now()));
            at.settled(wanted);
        }
    }

    /**
     * A reset run knows nothing of what the runs before it sent, so before it says that nothing was, the venue is asked:
     * once, since two look-ups that agree are proof. What stands in the history from before the reset is replayed as it
     * was, which the version sees to: the run's id is another one there.
     */
    private boolean isAskedAfterReset() {
        if (askedAfterReset || !isReset() || !Changes.isMade(ASKED_AFTER_RESET)) {
            return false;
        }
        askedAfterReset = true;
        at.become(OrderStatus.UNKNOWN, OrderFailures.unknownAfterReset());
        return true;
    }

    private static boolean isReset() {
        WorkflowInfo run = Workflow.getInfo();
        return !run.getRunId().equals(run.getOriginalExecutionRunId());
    }
}
