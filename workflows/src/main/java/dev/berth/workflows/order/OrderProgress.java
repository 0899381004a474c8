package dev.berth.workflows.order;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.Changes;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the steps of an order share: how far it is, and what its user wants of it meanwhile. */
final class OrderProgress {
    /** Each names a change of this code in histories. */
    private static final String SURPRISES_CALL = "surprises-call-for-a-person";

    private static final String OUTLIVES_REPLACEMENTS = "outlives-replacements";

    private static final String CALLS_UNANSWERED = "calls-unanswered";

    final OrderRequest request;
    final OrderWorker worker;
    final VenueControl venue;
    private final LateReports late = new LateReports();
    private final OrderRecorder recorder;
    private final LedgerGap gap = new LedgerGap(this);
    private final Queue<VenueReport> reports = new ArrayDeque<>();
    private OrderState order;
    private boolean cancelWanted;
    private @Nullable Terms wanted;
    private @Nullable CancellationScope submission;

    OrderProgress(OrderState order) {
        this.order = order;
        this.request = order.request();
        this.worker = new OrderWorker(request);
        this.recorder = new OrderRecorder(request);
        this.venue = Workflow.newActivityStub(VenueControl.class, OrderPolicies.ask(request.userId()));
    }

    OrderState order() {
        return order;
    }

    /** The venue's own news, for the next step to hear. */
    void tell(VenueReport report) {
        reports.add(report);
    }

    boolean hasNews() {
        return !reports.isEmpty();
    }

    /** Takes over the oldest of the news. */
    void hearNews() {
        hear(reports.remove());
    }

    /** Takes over what came after the end, by way of the ledger: an order that it puts right calls for a person. */
    void hearLateNews() {
        while (hasNews()) {
            hearLate(reports.remove());
        }
    }

    private void hearLate(VenueReport report) {
        if (report.executions().isEmpty() && !(order.isMissedAt(report) && Changes.isMade(SURPRISES_CALL))) {
            return;
        }
        gap.heard(report.executions());
        OrderState corrected = late.book(request.userId(), request.clientOrderId(), report);
        if (corrected != null) {
            order = corrected;
        }
    }

    /** Takes over what the venue says. */
    void hear(VenueReport report) {
        book(report);
        if (order.isRejectedReplacement(report) && outlivesReplacements()) {
            // A cancel went to the leg that never was.
            cancelWanted |= order.status() == OrderStatus.PENDING_CANCEL;
            change(order.withoutReplacement(OrderFailures.replacementRejected(), now()));
        } else {
            change(order.reported(report));
        }
        if (report.tellsOfBust() && !FailureCode.BUST.isOf(order.reason()) && Changes.isMade(SURPRISES_CALL)) {
            change(order.noted(OrderFailures.takenBack(), now()));
            callForAPerson();
        }
        recorder.write();
    }

    /** Whether an order goes on when its replacement was rejected after it had been taken. */
    static boolean outlivesReplacements() {
        return Changes.isMade(OUTLIVES_REPLACEMENTS);
    }

    void callForAPerson() {
        if (Changes.isMade(SURPRISES_CALL)) {
            Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(true));
        }
    }

    /** Nobody could say once more. When that has lasted for long a person is called, until somebody can. */
    void unanswered(Questions questions) {
        if (questions.isLong() && !FailureCode.isSurprise(order.reason()) && Changes.isMade(CALLS_UNANSWERED)) {
            change(order.noted(OrderFailures.unanswered(), now()));
            callForAPerson();
        }
    }

    /** Somebody could say, though perhaps nothing new. */
    void answered() {
        if (FailureCode.UNANSWERED.isOf(order.reason()) && !order.status().isFinal()) {
            change(order.noted(null, now()));
        }
    }

    /** Executions go to the ledger whatever the order makes of the report. */
    void book(VenueReport report) {
        recorder.book(report.executions());
        gap.heard(report.executions());
    }

    void wantCancel() {
        cancelWanted = true;
        withdraw("canceled by its user");
    }

    boolean isCancelWanted() {
        return cancelWanted;
    }

    void canceled() {
        cancelWanted = false;
    }

    /** Other terms; they take the place of others that were wanted and are not there yet. */
    void want(Terms terms) {
        wanted = terms;
        withdraw("other terms are wanted");
    }

    @Nullable
    Terms wanted() {
        return wanted;
    }

    /** These terms are there, or never will be; those that are wanted since stay wanted. */
    void settled(Terms terms) {
        if (terms.equals(wanted)) {
            wanted = null;
        }
    }

    boolean isChangeWanted() {
        return cancelWanted || wanted != null;
    }

    /** Nobody could cancel it yet, and nothing else is wanted. */
    boolean isOnlyCancelLeft() {
        return cancelWanted && wanted == null && order.status() == OrderStatus.PENDING_CANCEL;
    }

    /** A submission that waits is withdrawn when its user wants it otherwise; one that was sent is not. */
    void submitting(@Nullable CancellationScope scope) {
        submission = scope;
    }

    private void withdraw(String why) {
        if (submission != null) {
            submission.cancel(why);
        }
    }

    void become(OrderStatus status, @Nullable Reason reason) {
        change(order.became(status, reason, now()));
    }

    void change(OrderState next) {
        if (next.revision() == order.revision()) {
            order = next;
            return;
        }
        if (FailureCode.UNANSWERED.isOf(order.reason()) && !FailureCode.UNANSWERED.isOf(next.reason())) {
            Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ATTENTION.valueSet(false));
        }
        if (next.status() != order.status()) {
            publish(next.status());
        }
        order = next;
        Workflow.setCurrentDetails(order.details());
        recorder.note(order);
        recorder.write();
    }

    /** What never reached the venue waits for a person. */
    private static void publish(OrderStatus status) {
        if (status == OrderStatus.FAILED) {
            Workflow.upsertTypedSearchAttributes(
                    BerthSearchAttributes.ORDER_STATUS.valueSet(status.name()),
                    BerthSearchAttributes.ATTENTION.valueSet(true));
        } else {
            Workflow.upsertTypedSearchAttributes(BerthSearchAttributes.ORDER_STATUS.valueSet(status.name()));
        }
    }

    /** A step on the hot path: it is written with the next one. */
    void note(OrderState next) {
        order = next;
        recorder.note(order);
    }

    void write() {
        recorder.write();
    }

    /** Returns when every step is written. */
    void finish() {
        recorder.finish();
    }

    /** Sees to it that the ledger has all executions, as far as the venue says so within minutes. */
    void closeLedger() {
        gap.close();
    }

    static Instant now() {
        return Instant.ofEpochMilli(Workflow.currentTimeMillis());
    }

    /** Null when nobody could say. */
    static <T> @Nullable T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (ActivityFailure nobodyKnows) {
            return null;
        }
    }

    /** The summary is what an operator reads beside the timer in the Web UI. */
    static void pause(Duration pause, String summary) {
        Workflow.newTimer(pause, TimerOptions.newBuilder().setSummary(summary).build())
                .get();
    }

    /** Up to a quarter longer, so that orders that began to wait together do not ask together. */
    static Duration jittered(Duration pause) {
        return pause.plusMillis(Workflow.newRandom().nextLong(pause.toMillis() / 4));
    }
}
