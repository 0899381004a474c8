package dev.berth.workflows.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.temporal.workflow.WorkflowInit;
import java.util.ArrayDeque;
import java.util.Queue;

/** Records one report after the other, in the order in which they came. */
public final class LateReportWorkflowImpl implements LateReportWorkflow {
    private final UserId userId;
    private final ClientOrderId clientOrderId;
    private final LateReports late = new LateReports(this::hasReports, this::recordReports);
    private final Queue<ExecutionReport> reports = new ArrayDeque<>();

    @WorkflowInit
    public LateReportWorkflowImpl(UserId userId, ClientOrderId clientOrderId) {
        this.userId = userId;
        this.clientOrderId = clientOrderId;
    }

    @Override
    public void run(UserId ofUser, ClientOrderId ofOrder) {
        WorkflowIds.requireOwn(WorkflowIds.lateReport(userId, clientOrderId));
        recordReports();
    }

    private boolean hasReports() {
        return !reports.isEmpty();
    }

    private void recordReports() {
        while (hasReports()) {
            late.record(userId, clientOrderId, reports.remove());
        }
    }

    @Override
    public void report(ExecutionReport report) {
        reports.add(report);
    }
}
