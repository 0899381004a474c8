package dev.berth.temporal.client;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.LateReportWorkflow;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;

/** Hands execution reports to the workflows of orders. */
public final class OrderReports {
    private final WorkflowClient temporal;

    public OrderReports(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /** To the order's workflow or, when that has ended, to the one for late reports. */
    public void report(UserId userId, ClientOrderId id, ExecutionReport report) {
        try {
            temporal.newWorkflowStub(OrderWorkflow.class, WorkflowIds.order(userId, id))
                    .report(report);
        } catch (WorkflowNotFoundException ended) {
            if (isLate(userId, id, report)) {
                signalLate(userId, id, report);
            }
        }
    }

    /**
     * An execution, or an order that the venue has although its workflow ended as unfilled; else
     * the report is old. Another application's order on the account has no workflow.
     */
    private boolean isLate(UserId userId, ClientOrderId id, ExecutionReport report) {
        try {
            String status = temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id))
                    .describe()
                    .getTypedSearchAttributes()
                    .get(BerthSearchAttributes.ORDER_STATUS);
            boolean isDenied = OrderStatus.FAILED.name().equals(status)
                    || OrderStatus.REJECTED.name().equals(status);
            boolean wasUnfilled = isDenied || OrderStatus.CANCELED.name().equals(status);
            return !report.executions().isEmpty()
                    || (report.status().isFinal() ? isDenied && report.status() != OrderStatus.REJECTED : wasUnfilled);
        } catch (WorkflowNotFoundException foreignOrder) {
            return false;
        }
    }

    /** Whether the order has a workflow that runs. */
    public boolean isRunning(UserId userId, ClientOrderId id) {
        try {
            return temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id))
                            .describe()
                            .getStatus()
                    == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
        } catch (WorkflowNotFoundException foreignOrder) {
            return false;
        }
    }

    /** The workflow for late reports finds out whether the report is new. */
    private void signalLate(UserId userId, ClientOrderId id, ExecutionReport report) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.lateReport(userId, id))
                .setTaskQueue(TaskQueues.ORDERS)
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, userId.value())
                        .build())
                .setStaticSummary("report after the end of order " + id + ", for " + userId)
                .build();
        LateReportWorkflow late = temporal.newWorkflowStub(LateReportWorkflow.class, options);
        BatchRequest both = temporal.newSignalWithStartRequest();
        both.add(() -> late.run(userId, id));
        both.add(() -> late.report(report));
        temporal.signalWithStart(both);
    }
}
