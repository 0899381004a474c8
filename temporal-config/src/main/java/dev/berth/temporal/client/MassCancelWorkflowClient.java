package dev.berth.temporal.client;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.masscancel.FleetMassCancelReport;
import dev.berth.workflows.masscancel.FleetMassCancelWorkflow;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.masscancel.MassCancelPolicies;
import dev.berth.workflows.masscancel.MassCancelReport;
import dev.berth.workflows.masscancel.MassCancelWorkflow;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Starts mass cancels, and reads how far they are. */
public final class MassCancelWorkflowClient {
    private final WorkflowClient temporal;

    public MassCancelWorkflowClient(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /** Cancels a user's orders; a request that was started before goes on. */
    public void start(UserId userId, MassCancel request) {
        MassCancelWorkflow workflow =
                temporal.newWorkflowStub(MassCancelWorkflow.class, MassCancelPolicies.start(userId, request.id()));
        try {
            TemporalDeadline.call(() -> WorkflowClient.start(workflow::run, userId, request));
        } catch (WorkflowExecutionAlreadyStarted earlier) {
            // It was the same call, or its report says otherwise.
        }
    }

    /** Cancels the orders that a kill switch stops; a request that was started before goes on. */
    public void start(MassCancel request) {
        FleetMassCancelWorkflow workflow =
                temporal.newWorkflowStub(FleetMassCancelWorkflow.class, MassCancelPolicies.start(request.id()));
        try {
            TemporalDeadline.call(() -> WorkflowClient.start(workflow::run, FleetMassCancelReport.begun(request)));
        } catch (WorkflowExecutionAlreadyStarted earlier) {
            // It was the same call, or its report says otherwise.
        }
    }

    /**
     * Waits for the end.
     *
     * @param within zero does not wait
     * @return how far it is then
     */
    public MassCancelReport await(UserId userId, String id, Duration within) {
        String workflowId = WorkflowIds.massCancel(userId, id);
        awaitEnd(workflowId, within, MassCancelReport.class);
        return TemporalDeadline.call(temporal.newWorkflowStub(MassCancelWorkflow.class, workflowId)::report);
    }

    /** The same of a kill switch's request; empty when there is none of this id. */
    public Optional<FleetMassCancelReport> await(String id, Duration within) {
        String workflowId = WorkflowIds.fleetMassCancel(id);
        try {
            awaitEnd(workflowId, within, FleetMassCancelReport.class);
            return Optional.of(
                    TemporalDeadline.call(temporal.newWorkflowStub(FleetMassCancelWorkflow.class, workflowId)::report));
        } catch (WorkflowNotFoundException none) {
            return Optional.empty();
        }
    }

    private <T> void awaitEnd(String workflowId, Duration within, Class<T> type) {
        if (!within.isPositive()) {
            return;
        }
        WorkflowStub workflow = temporal.newUntypedWorkflowStub(workflowId);
        try {
            TemporalDeadline.result(workflow, type, within);
        } catch (TimeoutException underWay) {
            // The caller is told how far it is.
        } catch (WorkflowFailedException ended) {
            // By hand; the report tells how far it came.
        }
    }
}
