package dev.berth.workflows.untrusted;

import dev.berth.workflows.account.CancelVenueOrderWorkflow;
import dev.berth.workflows.account.ReadAccountWorkflow;
import dev.berth.workflows.maintenance.FleetUpgradeWorkflow;
import dev.berth.workflows.maintenance.MaintenanceWorkflow;
import dev.berth.workflows.masscancel.FleetMassCancelWorkflow;
import dev.berth.workflows.masscancel.MassCancelWorkflow;
import dev.berth.workflows.order.LateReportWorkflow;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.position.ClosePositionsWorkflow;
import dev.berth.workflows.position.ExclusiveCloseWorkflow;
import dev.berth.workflows.retention.ArchiveWorkflow;
import dev.berth.workflows.webhook.WebhookWorkflow;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import java.util.List;

/**
 * A word from outside is a claim: what a worker answers, and what a signal or an update carries, is
 * parsed and bounded before a workflow has it. Belongs to every worker factory that runs the
 * workflows, a replay too: the commands of a workflow depend on it.
 */
public final class UntrustedInputInterceptor extends WorkerInterceptorBase {
    private static final MessageSignatures SIGNATURES = new MessageSignatures(List.of(
            ArchiveWorkflow.class,
            CancelVenueOrderWorkflow.class,
            FleetMassCancelWorkflow.class,
            ClosePositionsWorkflow.class,
            ExclusiveCloseWorkflow.class,
            FleetUpgradeWorkflow.class,
            LateReportWorkflow.class,
            MaintenanceWorkflow.class,
            MassCancelWorkflow.class,
            OrderWorkflow.class,
            PoolWorkflow.class,
            ReadAccountWorkflow.class,
            WebhookWorkflow.class,
            WorkerLifecycleWorkflow.class));

    /** Hears of each ignored signal; called in a workflow's thread, so it must not block. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called once for each ignored signal, and not in a replay.
         *
         * @param fault names the place, and repeats nothing of the signal
         */
        void ignored(String workflowId, String signal, String fault);
    }

    private final Listener listener;

    public UntrustedInputInterceptor(Listener listener) {
        this.listener = listener;
    }

    @Override
    public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
        return new MessageArguments(next, SIGNATURES, listener);
    }
}
