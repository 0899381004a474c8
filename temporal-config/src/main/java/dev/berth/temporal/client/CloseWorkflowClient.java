package dev.berth.temporal.client;

import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.position.ClosePositionsWorkflow;
import dev.berth.workflows.position.CloseReport;
import dev.berth.workflows.position.CloseRequest;
import dev.berth.workflows.position.PositionPolicies;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Closes positions, once for each idempotency key while Temporal retains it. */
public final class CloseWorkflowClient {
    private final WorkflowClient temporal;

    public CloseWorkflowClient(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /**
     * Starts the close, unless it was started under this key before.
     *
     * @return false when the key belongs to a request with another body
     */
    public boolean start(CloseRequest request) {
        try {
            ClosePositionsWorkflow close =
                    temporal.newWorkflowStub(ClosePositionsWorkflow.class, PositionPolicies.start(request));
            TemporalDeadline.call(() -> WorkflowClient.start(close::run, request));
            return true;
        } catch (WorkflowExecutionAlreadyStarted earlier) {
            Object hash = TemporalDeadline.call(() -> stub(request).describe())
                    .getMemo(ClosePositionsWorkflow.REQUEST_HASH, String.class);
            return request.contentHash().equals(hash);
        }
    }

    /**
     * What became of it; empty when it takes longer.
     *
     * @throws io.temporal.client.WorkflowFailedException when the account could not be read
     */
    public Optional<CloseReport> await(CloseRequest request, Duration within) {
        try {
            return Optional.of(TemporalDeadline.result(stub(request), CloseReport.class, within));
        } catch (TimeoutException late) {
            return Optional.empty();
        }
    }

    private WorkflowStub stub(CloseRequest request) {
        return temporal.newUntypedWorkflowStub(
                WorkflowIds.closePositions(request.userId(), request.account(), request.key()));
    }
}
