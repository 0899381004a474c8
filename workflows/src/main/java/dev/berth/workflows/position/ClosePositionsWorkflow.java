package dev.berth.workflows.position;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * One request to close positions, by its idempotency key: a repeated one gets the same result.
 * Waits until no other close of the account runs.
 */
@WorkflowInterface
public interface ClosePositionsWorkflow {
    String TYPE = "ClosePositions";
    /** Memo field: a hash of the body, so that the same key with another body is recognized. */
    String REQUEST_HASH = "requestHash";

    /**
     * Fails when nothing was sent to the venue but cancels of exits, because the account could not
     * be read: then the key may be used again.
     */
    @WorkflowMethod(name = TYPE)
    CloseReport run(CloseRequest request);
}
