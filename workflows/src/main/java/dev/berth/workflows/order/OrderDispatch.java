package dev.berth.workflows.order;

import static dev.berth.workflows.WorkflowTasks.now;

import dev.berth.workflows.FailureType;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TimeoutFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** From "accepted" to the venue's answer, or to the deadline. */
final class OrderDispatch {
    /** Marks in the history of a reset run that the venue was asked. */
    private static final String ASKED_AFTER_RESET = "asked-after-reset-";
    /** Marks there that the order's row was read. */
    private static final String READ_AFTER_RESET = "read-after-reset-";

    /** What the end of {@code submitOrder} means for the order. */
    sealed interface SubmissionResult {
        /** The worker came back with an outcome. */
        record AnsweredByWorker(SubmitOutcome outcome) implements SubmissionResult {}

        /** No worker took it before the deadline. */
        record NeverTaken() implements SubmissionResult {}

        /** Canceled while it waited; the server settles that without a worker. */
        record Withdrawn() implements SubmissionResult {}

        /** A worker took it and did not come back: it may have been sent. */
        record Unknown() implements SubmissionResult {}

        static SubmissionResult of(ActivityFailure failure) {
            return switch (failure.getCause()) {
                case TimeoutFailure timeout
                when timeout.getTimeoutType() == TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START -> new NeverTaken();
                // No worker can answer with a cancellation, since the gateway refuses it (a worker
                // declines): this one was never taken.
                case CanceledFailure _ -> new Withdrawn();
                case ApplicationFailure undelivered
                when FailureType.UNDELIVERED.isOf(undelivered) ->
                    new AnsweredByWorker(new SubmitOutcome.Declined(SubmitOutcome.Cause.FENCED));
                case null, default -> new Unknown();
            };
        }
    }

    private final CurrentOrder order;

    OrderDispatch(CurrentOrder order) {
        this.order = order;
    }

    void dispatch() {
        if (isEndedByRow()) {
            return;
        }
        switch (submit()) {
            case SubmissionResult.AnsweredByWorker(SubmitOutcome.Answered(var report, var dispatchedAt)) -> {
                order.recordExecutions(report);
                if (order.state().status() == OrderStatus.PENDING) {
                    order.note(order.state().dispatched(dispatchedAt));
                }
                order.change(order.state().dispatched(dispatchedAt).reported(report));
                if (order.state().status() == OrderStatus.DISPATCHED) {
                    // The answer is not of this version. Only the venue tells what became of it.
                    order.become(OrderStatus.UNKNOWN, OrderFailures.outcomeUnknown());
                }
            }
            case SubmissionResult.AnsweredByWorker(SubmitOutcome.Declined declined) -> declined(declined);
            case SubmissionResult.NeverTaken _ -> neverTaken();
            case SubmissionResult.Withdrawn _ -> withdrawn();
            case SubmissionResult.Unknown _ -> order.become(OrderStatus.UNKNOWN, OrderFailures.outcomeUnknown());
        }
    }

    /**
     * A reset run begins again with an order that may be over without having been sent: canceled,
     * refused, or too late. Its row tells; without the row it is not sent.
     */
    private boolean isEndedByRow() {
        if (!isReset() || !isDecidedNow(READ_AFTER_RESET)) {
            return false;
        }
        try {
            OrderState row = order.recorded();
            if (row == null || !row.status().isFinal()) {
                return false;
            }
            order.endAs(row);
        } catch (ActivityFailure unavailable) {
            order.pause(OrderPolicies.LONGEST_REWRITE, "then read the order's row again");
        }
        return true;
    }

    /** Nothing stands before the submit in the first task: it is the hot path. */
    private SubmissionResult submit() {
        PendingWork.UserRequests requests = order.pending().requests();
        if (requests.cancel() || requests.terms() != null || requests.refusal() != null) {
            return new SubmissionResult.Withdrawn();
        }
        Duration timeLeft = Duration.between(now(), order.request.deadline());
        if (!timeLeft.isPositive()) {
            return new SubmissionResult.NeverTaken();
        }
        order.note(order.state().attempted(now()));
        SubmitOrder command = new SubmitOrder(
                order.request.with(order.state().terms()),
                order.state().attempts(),
                Workflow.getInfo().getFirstExecutionRunId(),
                order.pending().dispatch().resolvedAbsent());
        order.remember(order.pending().withDispatch(order.pending().dispatch().withResolvedAbsent(false)));
        VenueOrders orders = Workflow.newActivityStub(VenueOrders.class, OrderPolicies.submit(order.request, timeLeft));
        List<Promise<SubmitOutcome>> sent = new ArrayList<>(1);
        CancellationScope submission =
                Workflow.newCancellationScope(() -> sent.add(Async.function(orders::submit, command)));
        order.submitting(submission);
        submission.run();
        CancellationScope asking =
                Workflow.newCancellationScope(() -> Async.procedure(this::askForWorker, sent.getFirst()));
        asking.run();
        try {
            return new SubmissionResult.AnsweredByWorker(sent.getFirst().get());
        } catch (ActivityFailure failure) {
            return SubmissionResult.of(failure);
        } finally {
            asking.cancel("no longer waiting");
            order.workerMissing();
            order.submitting(null);
        }
    }

    /**
     * Runs beside an order that waits in its user's queue: its worker may be stopped or dead. A
     * worker that starts takes the order from the queue, so these requests are only the safety net.
     * An order whose admission saw a worker is told when that is missing: no timer is kept for it.
     * Requests of the user need not end its pauses: they withdraw the submission. A pause may end
     * in the task that brings the answer: a worker that was stopped since is not asked for again.
     */
    private void askForWorker(Promise<SubmitOutcome> answer) {
        Workflow.await(() -> answer.isCompleted() || !order.hasWorker());
        for (int asked = 0; !answer.isCompleted(); asked++) {
            Duration pause = new Backoff(asked, order.request.submittedAt()).pause(OrderPolicies.FIRST_RETRY, now());
            TimerOptions timer = TimerOptions.newBuilder()
                    .setSummary("then ask for a worker")
                    .build();
            Workflow.newTimer(jittered(pause), timer).get();
            if (answer.isCompleted()) {
                return;
            }
            order.write();
            ensureWorker();
            if (order.isRunLong()) {
                order.cancelSubmission("a new run goes on with it");
            }
        }
    }

    /** Up to a quarter longer, so that orders that began to wait together do not ask together. */
    private static Duration jittered(Duration pause) {
        return pause.plusMillis(Workflow.newRandom().nextLong(pause.toMillis() / 4));
    }

    private void ensureWorker() {
        Reason refusal = order.worker.ensure(order.state().status());
        if (refusal != null) {
            order.refuse(refusal);
        }
    }

    private void declined(SubmitOutcome.Declined declined) {
        switch (declined.cause()) {
            case DEADLINE_PASSED -> neverTaken();
            case CANCELED -> {
                if (declined.reason() != null) {
                    // A mass cancel that its workflow has not heard of yet.
                    order.scheduleCancel();
                }
                withdrawn();
            }
            case RISK -> order.become(OrderStatus.FAILED, OrderFailures.declined(declined));
            case FENCED, FORBIDDEN, NOT_SENT, NO_SESSION, HELD -> {
                PendingWork.Dispatch last = order.pending().dispatch();
                Backoff declines = Backoff.next(isNewSeries() ? null : last.declines(), now());
                order.remember(
                        order.pending().withDispatch(last.withDeclines(declines).withDeclined(declined)));
                order.note(order.state().because(OrderFailures.declined(declined), now()));
                ensureWorker();
                order.pause(declines.pause(OrderPolicies.AFTER_DECLINE, now()), "the worker declined");
            }
        }
    }

    /**
     * The order waited in the queue meanwhile: earlier declines do not count against this worker.
     */
    private boolean isNewSeries() {
        Duration sinceAttempt = Duration.between(order.state().changedAt(), now());
        return sinceAttempt.compareTo(OrderPolicies.BROKER_CALL.multipliedBy(2)) > 0;
    }

    private void neverTaken() {
        SubmitOutcome.Declined declined = order.pending().dispatch().declined();
        if (!becomesUnknownAfterReset()) {
            order.become(
                    OrderStatus.FAILED,
                    declined == null
                            ? OrderFailures.notTaken(order.request)
                            : OrderFailures.declined(order.request, declined));
        }
    }

    /**
     * This run did not send it, which is proven. The order is refused, canceled, or sent next under
     * the terms that are requested; what {@link #askForWorker} withdrew, a new run sends.
     */
    private void withdrawn() {
        if (becomesUnknownAfterReset()) {
            return;
        }
        PendingWork.UserRequests requests = order.pending().requests();
        if (requests.cancel()) {
            order.become(OrderStatus.CANCELED, null);
        } else if (requests.refusal() != null) {
            order.become(OrderStatus.FAILED, requests.refusal());
        } else if (requests.terms() != null) {
            order.change(order.state().withTerms(requests.terms(), now()));
            order.settled(requests.terms());
        } else if (!order.isRunLong()) {
            order.become(OrderStatus.CANCELED, null);
        }
    }

    /**
     * A reset run knows nothing of what the runs before it sent, so before it takes the order for
     * not sent, or leaves it to a new run, the venue is asked: once, since two look-ups that agree
     * are proof. The version marker keeps the replay of the history from before the reset as it
     * was.
     */
    boolean becomesUnknownAfterReset() {
        PendingWork.Dispatch dispatch = order.pending().dispatch();
        if (dispatch.askedAfterReset() || !isReset() || !isDecidedNow(ASKED_AFTER_RESET)) {
            return false;
        }
        order.remember(order.pending().withDispatch(dispatch.withAskedAfterReset(true)));
        order.become(OrderStatus.UNKNOWN, OrderFailures.unknownAfterReset());
        return true;
    }

    /**
     * False while events of the run before the reset are replayed: they have no such marker.
     * Temporal answers the same for the same id, so each decision has an id of its own.
     */
    private boolean isDecidedNow(String marker) {
        String resetDecision = marker + order.state().revision();
        return Workflow.getVersion(resetDecision, Workflow.DEFAULT_VERSION, 1) != Workflow.DEFAULT_VERSION;
    }

    private static boolean isReset() {
        WorkflowInfo run = Workflow.getInfo();
        return !run.getRunId().equals(run.getOriginalExecutionRunId());
    }
}
