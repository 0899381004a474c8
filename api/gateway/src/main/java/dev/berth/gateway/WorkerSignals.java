package dev.berth.gateway;

import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.temporal.client.OrderReports;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersAnswer;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerProcess;
import io.temporal.client.WorkflowClient;

/**
 * What a worker says to workflows of its own user, and asks of them; task and epoch are the
 * caller's own.
 */
final class WorkerSignals {
    private final WorkflowClient temporal;
    private final OrderReports reports;
    private final Refusals refusals;

    WorkerSignals(WorkflowClient temporal, Refusals refusals) {
        this.temporal = temporal;
        this.refusals = refusals;
        this.reports = new OrderReports(temporal);
    }

    void attached(Caller caller, AttachedRequest request) {
        WorkerProcess process = CallerProcess.of(caller, request.host(), request.pid())
                .orElseThrow(() -> refusals.refuse(
                        GatewayMethods.ATTACHED.getFullMethodName(),
                        Refusal.STATE,
                        "the task enrolled without a sealing key"));
        lifecycle(caller).attached(process);
    }

    void found(Caller caller) {
        UserId userId = caller.serving().userId();
        new LifecycleWorkflowClient(temporal)
                .reportWorker(userId, caller.serving().epoch(), caller.task().taskArn());
    }

    void idle(Caller caller) {
        lifecycle(caller).idle(caller.serving().epoch());
    }

    /** The lifecycle opens the session with what is stored, and drops it when that is refused. */
    void sessionRefused(Caller caller, AccountKey account) {
        lifecycle(caller).reloadCredentials(account);
    }

    private WorkerLifecycleWorkflow lifecycle(Caller caller) {
        return temporal.newWorkflowStub(
                WorkerLifecycleWorkflow.class,
                WorkflowIds.worker(caller.serving().userId()));
    }

    void report(Caller caller, ReportRequest request) {
        reports.report(caller.serving().userId(), request.clientOrderId(), request.report());
    }

    /** The first that runs ends the search. */
    RunningOrdersAnswer runningOrders(Caller caller, RunningOrdersRequest request) {
        UserId userId = caller.serving().userId();
        return new RunningOrdersAnswer(request.clientOrderIds().stream().anyMatch(id -> reports.isRunning(userId, id)));
    }
}
