package dev.berth.workflows.masscancel;

import static dev.berth.workflows.WorkflowTasks.now;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.account.AccountControl;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * First what was not sent, then what the venues have, then what remains, until each order is over.
 */
public final class MassCancelWorkflowImpl implements MassCancelWorkflow {
    private final MassCancelRecords records =
            Workflow.newActivityStub(MassCancelRecords.class, MassCancelPolicies.records());
    private final MassCancelRecords requests =
            Workflow.newActivityStub(MassCancelRecords.class, MassCancelPolicies.requests());
    private final WorkerRequests workers = Workflow.newActivityStub(WorkerRequests.class, MassCancelPolicies.records());
    private final UserId userId;
    private final MassCancel request;
    private MassCancelReport report;

    @WorkflowInit
    public MassCancelWorkflowImpl(UserId userId, MassCancel request) {
        this.userId = userId;
        this.request = request;
        this.report = MassCancelReport.begun(request);
    }

    @Override
    public MassCancelReport run(UserId ignored, MassCancel same) {
        WorkflowIds.requireOwn(WorkflowIds.massCancel(userId, request.id()));
        Instant end = now().plus(MassCancelPolicies.LONGEST);
        List<ClientOrderId> before = request.level() == KillSwitch.Level.USER ? records.record(request) : List.of();
        cancelOwn(before, OrderStatus::isUnanswered);
        Promise.allOf(records.accounts(userId, request).stream()
                        .map(account -> Async.procedure(() -> cancelAtVenue(account, end)))
                        .toList())
                .get();
        awaitEnds(end);
        report = report.completed();
        return report;
    }

    /** Until the venue has none left that the request covers. */
    private void cancelAtVenue(AccountKey account, Instant end) {
        AccountControl control = Workflow.newActivityStub(AccountControl.class, MassCancelPolicies.atVenue(userId));
        for (int round = 1; now().isBefore(end); round++) {
            Reason refusal = workers.ensure(userId, new WorkerNeed(account, WorkerNeed.Why.WORKING_ORDER));
            if (refusal != null) {
                report = report.unavailable(account, refusal.text());
                return;
            }
            try {
                // A worker that was replaced does not know what an earlier one sent.
                OpenOwnOrders own = records.orders(userId, request, report.ids());
                VenueMassCancel.Round done = control.massCancel(new VenueMassCancel(account, request, own.later()));
                report = report.with(account, done, own);
                if (done.open() == 0) {
                    return;
                }
            } catch (ActivityFailure failed) {
                if (FailureType.NOT_SUPPORTED.isOf(failed.getCause())
                        || FailureType.CREDENTIALS_REFUSED.isOf(failed.getCause())) {
                    // What Berth follows is canceled one by one.
                    report = report.unavailable(account, String.valueOf(failed.getCause()));
                    return;
                }
            }
            Workflow.sleep(MassCancelPolicies.pause(round));
        }
    }

    /** Reports of the stream end most orders; what it does not report is canceled one by one. */
    private void awaitEnds(Instant end) {
        Instant begun = now();
        for (int round = 1; ; round++) {
            boolean isReported = Duration.between(begun, now()).compareTo(MassCancelPolicies.REPORTED) < 0;
            cancelOwn(report.ids(), isReported ? OrderStatus::isUnanswered : status -> !status.isFinal());
            if (report.isSettled() || !now().isBefore(end)) {
                return;
            }
            Workflow.sleep(MassCancelPolicies.pause(round));
        }
    }

    /** Requests the cancel of those orders of Berth that stand so; lists these, too. */
    private void cancelOwn(List<ClientOrderId> listed, Predicate<OrderStatus> which) {
        OpenOwnOrders own = records.orders(userId, request, listed);
        report = report.with(own);
        List<ClientOrderId> open = own.orders().stream()
                .filter(order -> which.test(order.status()) && !order.status().isFinal() && !report.keeps(order))
                .map(OpenOwnOrders.OwnOrder::id)
                .toList();
        if (!open.isEmpty()) {
            requestCancels(open);
        }
    }

    private void requestCancels(List<ClientOrderId> open) {
        try {
            requests.cancel(userId, request, open);
        } catch (ActivityFailure unavailable) {
            // The next round requests what is still open.
        }
    }

    @Override
    public MassCancelReport report() {
        return report;
    }
}
