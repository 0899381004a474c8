package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportRequest;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.LateReportWorkflow;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.worker.WorkerLifecycleOptions;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributes;

/** Signals of a worker to workflows of its own user; task and epoch are the caller's own. */
final class WorkerSignals {
    private static final String REPORT = "report";
    private static final int LONGEST = 256;

    private final WorkflowClient temporal;

    WorkerSignals(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    void attached(Caller caller, AttachedRequest request) {
        if (request.host().length() > LONGEST || request.publicKey().length() > LONGEST) {
            throw new IllegalArgumentException("host or public key are too long");
        }
        lifecycle(caller)
                .signal(
                        "attached",
                        new WorkerProcess(
                                caller.serving().epoch(),
                                caller.task().taskArn(),
                                request.host(),
                                request.pid(),
                                request.publicKey()));
    }

    void found(Caller caller) {
        UserId userId = caller.serving().userId();
        temporal.newUntypedWorkflowStub(WorkerLifecycleWorkflow.TYPE, WorkerLifecycleOptions.of(userId))
                .signalWithStart(
                        "workerFound",
                        new Object[] {caller.serving().epoch(), caller.task().taskArn()},
                        new Object[] {WorkerState.none(userId)});
    }

    void idle(Caller caller) {
        lifecycle(caller).signal("idle", caller.serving().epoch());
    }

    /** The lifecycle opens the session with what is stored, and drops it when that is refused. */
    void sessionRefused(Caller caller, AccountKey account) {
        lifecycle(caller).signal("reloadCredentials", account);
    }

    private WorkflowStub lifecycle(Caller caller) {
        return temporal.newUntypedWorkflowStub(
                WorkflowIds.worker(caller.serving().userId()));
    }

    /** To the order's workflow or, when that has ended, to the one for late reports. */
    void report(Caller caller, ReportRequest request) {
        UserId userId = caller.serving().userId();
        ClientOrderId id = request.clientOrderId();
        ExecutionReport report = request.report();
        try {
            temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id)).signal(REPORT, report);
        } catch (WorkflowNotFoundException ended) {
            if (isLate(userId, id, report)) {
                signalLate(userId, id, report);
            }
        }
    }

    /**
     * An execution, or an order that works at the venue although its workflow ended as unfilled;
     * else the report is old. Another application's order on the account has no workflow.
     */
    private boolean isLate(UserId userId, ClientOrderId id, ExecutionReport report) {
        if (report.executions().isEmpty() && report.status().isFinal()) {
            return false;
        }
        try {
            String status = temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id))
                    .describe()
                    .getTypedSearchAttributes()
                    .get(BerthSearchAttributes.ORDER_STATUS);
            return !report.executions().isEmpty()
                    || OrderStatus.CANCELED.name().equals(status)
                    || OrderStatus.FAILED.name().equals(status);
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
        temporal.newUntypedWorkflowStub(LateReportWorkflow.TYPE, options)
                .signalWithStart(REPORT, new Object[] {report}, new Object[] {userId, id});
    }
}
