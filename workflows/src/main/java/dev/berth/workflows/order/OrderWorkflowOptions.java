package dev.berth.workflows.order;

import static io.temporal.api.enums.v1.WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE;
import static io.temporal.api.enums.v1.WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import java.util.Map;

/** How an order's workflow is started: once, or again for an order that is to go on. */
public final class OrderWorkflowOptions {
    private OrderWorkflowOptions() {}

    /** No order had this id before. */
    public static WorkflowOptions first(OrderRequest order) {
        return of(order, WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE, OrderStatus.PENDING);
    }

    /** Its workflow is over; one that runs is left alone. */
    public static WorkflowOptions again(OrderState order) {
        return of(order.request(), WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE, order.status());
    }

    private static WorkflowOptions of(OrderRequest order, WorkflowIdReusePolicy reuse, OrderStatus status) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.order(order.userId(), order.clientOrderId()))
                .setTaskQueue(TaskQueues.ORDERS)
                .setWorkflowIdReusePolicy(reuse)
                .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL)
                .setWorkflowTaskTimeout(OrderPolicies.WORKFLOW_TASK)
                .setDisableEagerExecution(false)
                .setMemo(Map.of(OrderWorkflow.REQUEST_HASH, order.contentHash()))
                .setStaticSummary("order " + order.clientOrderId() + " of " + order.userId())
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, order.userId().value())
                        .set(BerthSearchAttributes.ORDER_STATUS, status.name())
                        .build())
                .build();
    }
}
