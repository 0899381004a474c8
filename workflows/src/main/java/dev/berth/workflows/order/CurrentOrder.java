package dev.berth.workflows.order;

import static dev.berth.workflows.WorkflowTasks.now;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Steps;
import dev.berth.workflows.Steps.Due;
import dev.berth.workflows.Steps.Step;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An order while its workflow runs: its state, and the reports and requests that come for it. */
final class CurrentOrder {
    final OrderRequest request;
    final WorkerRequester worker;
    final VenueControl venue;
    private final OrderRecorder recorder;
    private final LateReports lateReports = new LateReports(this::hasReports, this::applyLateReports);
    private final MissingExecutions missing = new MissingExecutions(this);
    private OrderState state;
    private @Nullable CancellationScope submission;

    CurrentOrder(OrderState state) {
        this.state = state;
        this.request = state.request();
        this.worker = new WorkerRequester(request);
        this.recorder = new OrderRecorder(request);
        this.venue = Workflow.newActivityStub(VenueControl.class, OrderPolicies.ask(request.userId()));
    }

    OrderState state() {
        return state;
    }

    boolean isFinal() {
        return state.status().isFinal();
    }

    /** The venue has it, and works it. */
    boolean isWorking() {
        return state.status().isAtVenue() && !state.status().isFinal();
    }

    PendingWork pending() {
        return state.pending() == null ? PendingWork.NONE : state.pending();
    }

    /** A step that is due at the end of the pause while the condition holds. */
    Step step(BooleanSupplier isNext, Runnable run) {
        return step(now -> isNext.getAsBoolean() ? pauseEnds(now) : null, run);
    }

    Step step(Due due, Runnable run) {
        return new Step(due, this::pauseSummary, () -> {
            remember(pending().stepBegun());
            run.run();
        });
    }

    private Instant pauseEnds(Instant now) {
        PendingWork.Pause pause = pending().pause();
        return pause == null ? now : pause.until();
    }

    private String pauseSummary() {
        PendingWork.Pause pause = pending().pause();
        return pause == null ? Steps.NEXT : pause.before();
    }

    boolean isPaused() {
        return pending().pause() != null;
    }

    /**
     * The next step is due when the time is up, or when a report or request comes that this step
     * does not know.
     *
     * @param before what an operator reads beside the timer in the Web UI
     */
    void pause(Duration atMost, String before) {
        // Timers count milliseconds.
        remember(pending().pausedUntil(now().plusMillis(atMost.toMillis()), before));
    }

    /** Pauses longer each time, until {@link #answered}. */
    void pauseBeforeRetry(String before) {
        Backoff backoff = Backoff.next(pending().venue().unanswered(), now());
        update(work -> work.withUnanswered(backoff));
        pause(backoff.pause(OrderPolicies.FIRST_RETRY, now()), before);
    }

    /**
     * The same after a question that no worker could answer. A person is called when that lasts.
     */
    void pauseUnanswered(String before) {
        Backoff last = pending().venue().unanswered();
        if (last != null && last.isLong(now()) && !FailureCode.needsAttention(state.reason())) {
            change(state.because(OrderFailures.unanswered(), now()));
        }
        pauseBeforeRetry(before);
    }

    void answered() {
        update(work -> work.withUnanswered(null));
        if (FailureCode.UNANSWERED.isOf(state.reason()) && !isFinal()) {
            change(state.because(null, now()));
        }
    }

    /** Whether the venue was asked for what is requested, and no worker could find out. */
    boolean isUnanswered() {
        return pending().venue().unanswered() != null;
    }

    void update(UnaryOperator<PendingWork.Venue> work) {
        remember(pending().withVenue(work.apply(pending().venue())));
    }

    void remember(PendingWork work) {
        state = state.withPending(work);
    }

    /** Keeps the venue's report for the next step. */
    void report(ExecutionReport report) {
        remember(pending().reported(report));
    }

    boolean hasReports() {
        return !pending().reports().isEmpty();
    }

    /** Applies the oldest report. */
    void applyReport() {
        apply(nextReport());
    }

    private ExecutionReport nextReport() {
        List<ExecutionReport> reports = pending().reports();
        remember(pending().withReports(reports.subList(1, reports.size())));
        return reports.getFirst();
    }

    void apply(ExecutionReport report) {
        Decimal filledBefore = state.filledQuantity();
        recordExecutions(report);
        if (state.isRejectedReplacement(report)) {
            // A cancel went to the version that never was.
            boolean cancel = isCancelRequested() || state.status() == OrderStatus.PENDING_CANCEL;
            change(state.withoutReplacement(OrderFailures.replacementRejected(), now()));
            update(work -> work.withMayOverfill(false).active());
            requests(pending().requests().withCancel(cancel));
        } else {
            change(state.reported(report));
        }
        boolean isLess = state.filledQuantity().compareTo(filledBefore) < 0;
        if ((report.reportsBust() || isLess) && !FailureCode.BUST.isOf(state.reason())) {
            change(state.because(OrderFailures.busted(), now()));
        }
        if (!state.filledQuantity().equals(filledBefore) && lacksExecutions()) {
            // Asked for soon, however long nothing came before.
            update(PendingWork.Venue::active);
        }
        recorder.write();
    }

    /** The cancel leaves before anything else is done. */
    void canceling() {
        note(state.became(OrderStatus.PENDING_CANCEL, null, now()));
        Workflow.setCurrentDetails(state.details());
    }

    /** Executions go to the ledger, whatever the order makes of the report. */
    void recordExecutions(ExecutionReport report) {
        recorder.add(report.executionsOfVenueOrder());
        missing.reported(report.executions());
    }

    /**
     * Applies what came after the end by way of the ledger: an order that it corrects calls for a
     * person.
     */
    void applyLateReports() {
        while (hasReports()) {
            applyLate(nextReport());
        }
    }

    private void applyLate(ExecutionReport report) {
        if (report.executions().isEmpty() && !state.isLateArrival(report)) {
            return;
        }
        missing.reported(report.executions());
        OrderState corrected = lateReports.record(request.userId(), request.clientOrderId(), report);
        if (corrected != null) {
            state = corrected.withPending(state.pending());
        }
    }

    boolean lacksExecutions() {
        return missing.isMissing(state.currentVersion());
    }

    void findMissingExecutions() {
        missing.find();
    }

    void requestCancel() {
        scheduleCancel();
        remember(pending().interrupt());
        cancelSubmission("canceled by its user");
    }

    /** The order itself needs the cancel. */
    void scheduleCancel() {
        requests(pending().requests().withCancel(true));
    }

    boolean isCancelRequested() {
        return pending().requests().cancel();
    }

    void canceled() {
        requests(pending().requests().withCancel(false));
    }

    /** Fails the order, unless it was sent. */
    void refuse(Reason why) {
        requests(pending().requests().withRefusal(why));
        remember(pending().interrupt());
        cancelSubmission(why.code());
    }

    /** Other terms; they take the place of those that were requested and are not there yet. */
    void requestTerms(OrderTerms terms) {
        requests(pending().requests().withTerms(terms));
        remember(pending().interrupt());
        cancelSubmission("other terms are requested");
    }

    @Nullable
    OrderTerms requestedTerms() {
        return pending().requests().terms();
    }

    void requestResolution(OrderResolution resolution) {
        requests(pending().requests().withResolution(resolution));
        remember(pending().interrupt());
    }

    @Nullable
    OrderResolution resolution() {
        return pending().requests().resolution();
    }

    /**
     * It has had its effect, unless another came since.
     *
     * @param isAbsent whether the venue does not have the order
     */
    void resolved(OrderResolution resolution, boolean isAbsent) {
        if (resolution.equals(resolution())) {
            requests(pending().requests().withResolution(null));
        }
        remember(pending().withDispatch(pending().dispatch().withResolvedAbsent(isAbsent)));
    }

    boolean isReplaceRequested() {
        return state.isReplaceRequested();
    }

    /** These terms are there, or never will be; those that were requested since stay requested. */
    void settled(OrderTerms terms) {
        if (terms.equals(requestedTerms())) {
            requests(pending().requests().withTerms(null));
        }
    }

    private void requests(PendingWork.UserRequests next) {
        remember(pending().withRequests(next));
    }

    /** Whether a worker was there at admission, which nothing contradicts. */
    boolean hasWorker() {
        return pending().dispatch().hasWorker();
    }

    void workerMissing() {
        remember(pending().withDispatch(pending().dispatch().withHasWorker(false)));
    }

    /** A submission that no worker has taken is canceled when something else is requested. */
    void submitting(@Nullable CancellationScope scope) {
        submission = scope;
    }

    /** Has no effect on a submission that was sent. */
    void cancelSubmission(String why) {
        if (submission != null) {
            submission.cancel(why);
        }
    }

    void become(OrderStatus status, @Nullable Reason reason) {
        change(state.became(status, reason, now()));
    }

    void change(OrderState changed) {
        if (changed.revision() == state.revision()) {
            state = changed;
            return;
        }
        OrderState next = changed.isResolvedSince(state)
                ? changed.withPending(pending().withVenue(pending().venue().resolved()))
                : changed;
        if (!OrderVisibility.isShownByFirstCheck(state, next)) {
            OrderVisibility.show(state, next);
        }
        note(next);
        Workflow.setCurrentDetails(state.details());
        recorder.write();
    }

    /** A step on the hot path: it is written with the next one. */
    void note(OrderState next) {
        OrderMetrics.record(state, next);
        state = next;
        recorder.add(state.withPending(null));
    }

    /** The order's row, which an earlier run may have written; null when there is none. */
    @Nullable
    OrderState recorded() {
        return recorder.read();
    }

    /** The order is over, as its row says: nothing of that is written again. */
    void endAs(OrderState recorded) {
        OrderVisibility.show(state, recorded);
        state = recorded.withPending(state.pending());
        Workflow.setCurrentDetails(state.details());
    }

    void write() {
        recorder.write();
    }

    /** Returns when every step is written. */
    void awaitWritten() {
        recorder.awaitWritten();
    }

    boolean isWritten() {
        return recorder.isWritten();
    }

    /** Returns when every step is written, or when a report or request comes. */
    void awaitWrittenUndisturbed() {
        recorder.write();
        Workflow.await(() -> recorder.isWritten() || pending().interrupted());
    }

    /** Whether a new run should begin. */
    boolean isRunLong() {
        return Workflow.getInfo().isContinueAsNewSuggested();
    }

    /** Null when no worker could answer, or one answered about another version. */
    static @Nullable FindOutcome askAbout(int version, Supplier<FindOutcome> question) {
        FindOutcome answer = ask(question);
        return answer instanceof FindOutcome.Found(var report, var _) && report.version() != version ? null : answer;
    }

    /** Null when no worker could answer. */
    static <T> @Nullable T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (ActivityFailure unanswered) {
            return null;
        }
    }
}
