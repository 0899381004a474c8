package dev.berth.workflows.position;

import static dev.berth.workflows.WorkflowTasks.now;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;

/** A child under the account's id; while it has another parent, a pause. */
public final class ClosePositionsWorkflowImpl implements ClosePositionsWorkflow {
    @Override
    public CloseReport run(CloseRequest request) {
        WorkflowIds.requireOwn(WorkflowIds.closePositions(request.userId(), request.account(), request.key()));
        Instant deadline = now().plus(PositionPolicies.OTHER_CLOSE);
        while (true) {
            try {
                return Workflow.newChildWorkflowStub(ExclusiveCloseWorkflow.class, PositionPolicies.exclusive(request))
                        .run(request);
            } catch (ChildWorkflowFailure failure) {
                if (!(failure.getCause() instanceof WorkflowExecutionAlreadyStarted)) {
                    throw failure;
                }
            }
            if (!now().isBefore(deadline)) {
                throw FailureType.CLOSE_UNDER_WAY.failure("Another close of the account did not end in time.");
            }
            Workflow.sleep(PositionPolicies.OTHER_CLOSE_PAUSE);
        }
    }
}
