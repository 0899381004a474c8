package dev.berth.workflows.order;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.Pauses;
import dev.berth.workflows.Waiting;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends an order until the venue has answered or the deadline passed, then follows it to its final state. */
public final class OrderWorkflowImpl implements OrderWorkflow {
    private final OrderRequest request;
    private final VenueControl venue;
    private final OrderWorker worker;
    private final OrderRecorder recorder = new OrderRecorder();
    private final Queue<VenueReport> reports = new ArrayDeque<>();
    private OrderState order;
    private final Pauses declines = new Pauses(OrderPolicies.AFTER_DECLINE, OrderPolicies.SLOWEST_ASK);
    private final Pauses questions = new Pauses(OrderPolicies.FIRST_ASK, OrderPolicies.SLOWEST_ASK);
    private final Pauses checks = new Pauses(OrderPolicies.FIRST_CHECK, OrderPolicies.SLOWEST_CHECK);
    /** Look-ups in a row that found nothing. */
    private int absent;

    private boolean cancelWanted;
    private @Nullable CancellationScope submission;

    @WorkflowInit
    public OrderWorkflowImpl(OrderState order) {
        this.order = order;
        this.request = order.request();
        this.worker = new OrderWorker(request);
        this.venue = Workflow.newActivityStub(VenueControl.class, OrderPolicies.ask(request.userId()));
    }

    @Override
    public OrderState run(OrderState input) {
        // Whoever cancels the workflow itself, as the Web UI can, wants the order canceled, not forgotten.
        CancellationScope.current().getCancellationRequest().thenApply(_ -> wantCancel());
        Workflow.newDetachedCancellationScope(this::carry).run();
        return order;
    }

    private void carry() {
        while (!order.status().isFinal()) {
            if (isLong()) {
                Workflow.continueAsNew(order);
            }
            switch (order.status()) {
                case PENDING, DISPATCHED -> dispatch();
                case UNKNOWN -> ask();
                case NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE -> follow();
                case FILLED, CANCELED, REJECTED, EXPIRED, FAILED -> throw new IllegalStateException("it is over");
            }
        }
        recorder.finish();
        Workflow.await(Workflow::isEveryHandlerFinished);
    }

    @Override
    public void report(VenueReport report) {
        reports.add(report);
    }

    @Override
    public OrderState cancel() {
        wantCancel();
        Workflow.await(() -> order.status().isFinal() || !cancelWanted);
        return order;
    }

    private boolean wantCancel() {
        cancelWanted = true;
        if (submission != null) {
            submission.cancel("canceled by its user");
        }
        return true;
    }

    @Override
    public OrderState state() {
        return order;
    }

    private void dispatch() {
        switch (submit()) {
            case SubmitEnd.Told(SubmitOutcome.Answered(var report, var dispatchedAt)) ->
                change(order.dispatched(dispatchedAt).reported(report));
            case SubmitEnd.Told(SubmitOutcome.Declined(var cause)) -> declined(cause);
            case SubmitEnd.NeverTaken _ -> become(OrderStatus.FAILED, OrderFailures.notTaken(request));
            case SubmitEnd.Withdrawn _ -> become(OrderStatus.CANCELED, null);
            case SubmitEnd.Unknown _ -> become(OrderStatus.UNKNOWN, OrderFailures.outcomeUnknown());
        }
    }

    /** Nothing stands before the submit in the first task: it is the hot path. */
    private SubmitEnd submit() {
        if (cancelWanted) {
            return new SubmitEnd.Withdrawn();
        }
        Duration timeLeft = Duration.between(now(), request.deadline());
        if (!timeLeft.isPositive()) {
            return new SubmitEnd.NeverTaken();
        }
        order = order.attempted(now());
        recorder.note(order);
        SubmitOrder command =
                new SubmitOrder(request, order.attempts(), Workflow.getInfo().getFirstExecutionRunId());
        VenueOrders orders = Workflow.newActivityStub(VenueOrders.class, OrderPolicies.submit(request, timeLeft));
        List<Promise<SubmitOutcome>> sent = new ArrayList<>(1);
        submission = Workflow.newCancellationScope(() -> sent.add(Async.function(orders::submit, command)));
        submission.run();
        CancellationScope asking = Workflow.newCancellationScope(() -> Async.procedure(this::askForWorker));
        asking.run();
        try {
            return new SubmitEnd.Told(sent.getFirst().get());
        } catch (ActivityFailure failure) {
            return SubmitEnd.of(failure);
        } finally {
            asking.cancel("no longer waiting");
            submission = null;
        }
    }

    /** Runs beside a waiting order: its worker may be stopped, dead, or not yet started. */
    private void askForWorker() {
        Pauses asks = new Pauses(OrderPolicies.FIRST_ASK, OrderPolicies.SLOWEST_ASK);
        while (true) {
            pause(jittered(asks.next()), "then ask for a worker");
            recorder.write();
            worker.ensure(order.status());
        }
    }

    private void declined(SubmitOutcome.Cause cause) {
        switch (cause) {
            case DEADLINE_PASSED -> become(OrderStatus.FAILED, OrderFailures.notTaken(request));
            case CANCELED -> become(OrderStatus.CANCELED, null);
            case FENCED, FORBIDDEN, NOT_SENT, NO_SESSION -> {
                worker.ensure(order.status());
                pause(declines.next(), "the worker declined");
            }
        }
    }

    /**
     * Leads out of {@code UNKNOWN}. Found counts at once. Absent counts when two look-ups, a settle time apart, agree:
     * whoever answers is either the process of the attempt, whose call is over, or a later worker, and no earlier one is
     * left that is not proven dead.
     */
    private void ask() {
        if (!reports.isEmpty()) {
            change(order.reported(reports.remove()));
            return;
        }
        worker.ensure(order.status());
        // Before the look-up: who is proven dead only after it may have sent meanwhile.
        boolean mayStillArrive = worker.mayStillSend();
        switch (look(() -> venue.find(new FindOrder(request, order.attempts())))) {
            case FindOutcome.Found(var report) -> change(order.reported(report));
            case FindOutcome.Absent _
            when mayStillArrive -> {
                absent = 0;
                pause(questions.next(), "absent, but a worker that may have it is not proven dead");
            }
            case FindOutcome.Absent _ -> {
                if (++absent < 2) {
                    pause(OrderPolicies.SETTLE, "absent once; a request may still be on its way");
                } else {
                    notAtVenue();
                }
            }
            case null -> {
                absent = 0;
                pause(questions.next(), "nobody could say; then ask again");
            }
        }
    }

    /** It surely was not sent, and may be sent again if there is time. */
    private void notAtVenue() {
        absent = 0;
        if (cancelWanted) {
            become(OrderStatus.CANCELED, null);
        } else if (now().isBefore(request.deadline())) {
            become(OrderStatus.PENDING, null);
        } else {
            become(OrderStatus.FAILED, OrderFailures.notSent(request));
        }
    }

    /** The venue has it: fills and cancels are pushed as reports, delayed checks catch what a push lost. */
    private void follow() {
        if (cancelWanted) {
            cancelAtVenue();
        } else if (!reports.isEmpty()) {
            change(order.reported(reports.remove()));
        } else if (!Waiting.until(checks.next(), "then check at the venue", () -> cancelWanted || !reports.isEmpty())) {
            check();
        } else {
            checks.repeat();
        }
    }

    private void check() {
        if (look(() -> venue.find(new FindOrder(request, order.attempts()))) instanceof FindOutcome.Found(var report)) {
            change(order.reported(report));
        } else {
            worker.ensure(order.status());
        }
    }

    private void cancelAtVenue() {
        if (order.status() != OrderStatus.PENDING_CANCEL) {
            become(OrderStatus.PENDING_CANCEL, null);
        }
        worker.ensure(order.status());
        if (look(() -> venue.cancel(request)) instanceof FindOutcome.Found(var report)) {
            change(order.reported(report));
            cancelWanted = false;
        } else {
            pause(questions.next(), "nobody could say; then ask again");
        }
    }

    /** Null when nobody could say. */
    private static @Nullable FindOutcome look(Supplier<FindOutcome> question) {
        try {
            return question.get();
        } catch (ActivityFailure nobodyKnows) {
            return null;
        }
    }

    private void become(OrderStatus status, @Nullable Reason reason) {
        change(order.became(status, reason, now()));
    }

    private void change(OrderState next) {
        if (next.revision() == order.revision()) {
            return;
        }
        if (next.status() != order.status()) {
            Workflow.upsertTypedSearchAttributes(
                    BerthSearchAttributes.ORDER_STATUS.valueSet(next.status().name()));
        }
        order = next;
        Workflow.setCurrentDetails(order.details());
        recorder.note(order);
        recorder.write();
    }

    private static Instant now() {
        return Instant.ofEpochMilli(Workflow.currentTimeMillis());
    }

    /** What came while the last steps were written is heard first: a new run knows nothing of it. */
    private boolean isLong() {
        if (!Workflow.getInfo().isContinueAsNewSuggested() || !Workflow.isEveryHandlerFinished()) {
            return false;
        }
        recorder.finish();
        return reports.isEmpty() && !cancelWanted;
    }

    /** The summary is what an operator reads beside the timer in the Web UI. */
    private static void pause(Duration pause, String summary) {
        Workflow.newTimer(pause, TimerOptions.newBuilder().setSummary(summary).build())
                .get();
    }

    /** Up to a quarter longer, so that orders that began to wait together do not ask together. */
    private static Duration jittered(Duration pause) {
        return pause.plusMillis(Workflow.newRandom().nextLong(pause.toMillis() / 4));
    }
}
