package dev.berth.workflows.untrusted;

import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.unsafe.WorkflowUnsafe;
import java.util.Map;
import java.util.Optional;

/**
 * Checks what signals and updates carry. A signal that a person typed without its input reaches its
 * handler with null, and an exception of a handler fails the workflow task for ever.
 */
final class MessageArguments extends WorkflowInboundCallsInterceptorBase {
    private static final String IGNORED_SIGNALS = "berth_signals_ignored";

    private final MessageSignatures signatures;
    private final UntrustedInputInterceptor.Listener listener;

    MessageArguments(
            WorkflowInboundCallsInterceptor next,
            MessageSignatures signatures,
            UntrustedInputInterceptor.Listener listener) {
        super(next);
        this.signatures = signatures;
        this.listener = listener;
    }

    @Override
    public void init(WorkflowOutboundCallsInterceptor outbound) {
        super.init(new WorkerAnswers(outbound));
    }

    @Override
    public void handleSignal(SignalInput signal) {
        String workflowType = Workflow.getInfo().getWorkflowType();
        Optional<String> fault = signatures.fault(workflowType, signal.getSignalName(), signal.getArguments());
        if (fault.isEmpty()) {
            super.handleSignal(signal);
            return;
        }
        Workflow.getMetricsScope()
                .tagged(Map.of("signal", signal.getSignalName()))
                .counter(IGNORED_SIGNALS)
                .inc(1);
        if (!WorkflowUnsafe.isReplaying()) {
            listener.ignored(Workflow.getInfo().getWorkflowId(), signal.getSignalName(), fault.get());
        }
    }

    /** An update that is refused here leaves no trace in the workflow. */
    @Override
    public void validateUpdate(UpdateInput update) {
        signatures
                .fault(Workflow.getInfo().getWorkflowType(), update.getUpdateName(), update.getArguments())
                .ifPresent(fault -> {
                    throw new IllegalArgumentException(fault);
                });
        super.validateUpdate(update);
    }
}
