package dev.berth.api.worker;

import dev.berth.api.Prompt;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerState;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The lifecycle workflows that there are, as the API and its listeners tell and ask them. */
@Component
public class Lifecycles {
    private final WorkflowClient temporal;

    Lifecycles(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /**
     * Signals a user's lifecycle.
     *
     * @return false when the user has none, so that nobody is told
     */
    public boolean tell(UserId userId, String signal, Object... arguments) {
        return signal(WorkflowIds.worker(userId), signal, arguments);
    }

    /**
     * Signals the pool.
     *
     * @return false when there is none
     */
    boolean tellPool(String signal, Object... arguments) {
        return signal(WorkflowIds.POOL, signal, arguments);
    }

    private boolean signal(String workflowId, String signal, Object... arguments) {
        try {
            temporal.newUntypedWorkflowStub(workflowId).signal(signal, arguments);
            return true;
        } catch (WorkflowNotFoundException nobody) {
            return false;
        }
    }

    /** Empty when the user never had a worker. */
    public Optional<WorkerState> find(UserId userId) {
        try {
            WorkflowStub worker = temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId));
            return Optional.of(Prompt.call(() -> worker.query("state", WorkerState.class)));
        } catch (WorkflowNotFoundException none) {
            return Optional.empty();
        }
    }
}
