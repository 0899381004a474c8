package dev.berth.workflows.worker;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;

/** How a lifecycle is started, by every caller. */
public final class WorkerLifecycleOptions {
    private WorkerLifecycleOptions() {}

    public static WorkflowOptions of(UserId userId) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.worker(userId))
                .setTaskQueue(TaskQueues.FLEET)
                .setStaticSummary("The worker of " + userId)
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, userId.value())
                        .set(BerthSearchAttributes.WORKER_STATE, WorkerPhase.TERMINATED.name())
                        .build())
                .build();
    }
}
