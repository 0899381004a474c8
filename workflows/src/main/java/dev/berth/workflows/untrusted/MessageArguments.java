package dev.berth.workflows.untrusted;

import dev.berth.workflows.PlainText;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.workflow.DynamicSignalHandler;
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
    private static final int NAME_LENGTH = 100;

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

    /** Without such a handler Temporal keeps unknown signals, and no log tells of them. */
    @Override
    public WorkflowOutput execute(WorkflowInput input) {
        DynamicSignalHandler unknown = (name, _) -> ignore("unknown", name, "this workflow has no such signal");
        Workflow.registerListener(unknown);
        return super.execute(input);
    }

    @Override
    public void handleSignal(SignalInput signal) {
        String workflowType = Workflow.getInfo().getWorkflowType();
        Optional<String> fault = signatures.fault(workflowType, signal.getSignalName(), signal.getArguments());
        if (fault.isEmpty()) {
            super.handleSignal(signal);
        } else {
            ignore(signal.getSignalName(), signal.getSignalName(), fault.get());
        }
    }

    private void ignore(String label, String name, String fault) {
        Workflow.getMetricsScope()
                .tagged(Map.of("signal", label))
                .counter(IGNORED_SIGNALS)
                .inc(1);
        if (!WorkflowUnsafe.isReplaying()) {
            listener.ignored(Workflow.getInfo().getWorkflowId(), PlainText.line(name, NAME_LENGTH), fault);
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
