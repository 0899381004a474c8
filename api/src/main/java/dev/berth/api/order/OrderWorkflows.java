package dev.berth.api.order;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderWorkflow;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateHandle;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.client.WorkflowUpdateTimeoutOrCancelledException;
import io.temporal.common.SearchAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Order workflows as the API starts, reads and cancels them. */
@Component
class OrderWorkflows {
    /** What the server answers before it begins anything. */
    private static final Set<Status.Code> REFUSED = Set.of(
            Status.Code.INVALID_ARGUMENT,
            Status.Code.RESOURCE_EXHAUSTED,
            Status.Code.PERMISSION_DENIED,
            Status.Code.UNAUTHENTICATED,
            Status.Code.NOT_FOUND,
            Status.Code.FAILED_PRECONDITION);

    private final WorkflowClient temporal;

    OrderWorkflows(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /**
     * Starts the order. From here on it is durable.
     *
     * @return false when an order with this id was started before
     */
    boolean start(OrderRequest order) {
        try {
            temporal.newUntypedWorkflowStub(OrderWorkflow.TYPE, options(order)).start(OrderState.accepted(order));
            return true;
        } catch (WorkflowExecutionAlreadyStarted before) {
            return false;
        }
    }

    /** Whether the server refused the start; after any other failure the order may have been started. */
    static boolean isSurelyNotStarted(RuntimeException failed) {
        return Stream.<Throwable>iterate(failed, cause -> cause != null, Throwable::getCause)
                .anyMatch(cause -> cause instanceof StatusRuntimeException refused
                        && REFUSED.contains(refused.getStatus().getCode()));
    }

    private static WorkflowOptions options(OrderRequest order) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.order(order.userId(), order.clientOrderId()))
                .setTaskQueue(TaskQueues.ORDERS)
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
                .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL)
                .setWorkflowTaskTimeout(OrderPolicies.WORKFLOW_TASK)
                .setDisableEagerExecution(false)
                .setMemo(Map.of(OrderWorkflow.REQUEST_HASH, order.contentHash()))
                .setStaticSummary(order.summary() + ", for " + order.userId())
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, order.userId().value())
                        .set(BerthSearchAttributes.SYMBOL, order.symbol())
                        .set(BerthSearchAttributes.BROKER, order.account().broker())
                        .set(BerthSearchAttributes.ORDER_STATUS, "PENDING")
                        .build())
                .build();
    }

    /** The order from its workflow, shown as dispatched while a worker has it in hand; empty when there is none. */
    Optional<OrderState> find(UserId userId, ClientOrderId id) {
        try {
            OrderState order = stub(userId, id).query("state", OrderState.class);
            return Optional.of(order.status().isUnanswered() ? withDispatch(order) : order);
        } catch (WorkflowNotFoundException none) {
            return Optional.empty();
        }
    }

    /** The state of the pending activity stands in no history: only <i>describe</i> knows it. */
    private OrderState withDispatch(OrderState order) {
        return describe(order.request().userId(), order.request().clientOrderId()).getPendingActivitiesList().stream()
                .filter(activity -> activity.getActivityType().getName().equals("submitOrder"))
                .filter(activity -> activity.getState() == PendingActivityState.PENDING_ACTIVITY_STATE_STARTED)
                .findFirst()
                .map(activity -> order.dispatched(startedAt(activity)))
                .orElse(order);
    }

    private static Instant startedAt(PendingActivityInfo activity) {
        return Instant.ofEpochSecond(
                activity.getLastStartedTime().getSeconds(),
                activity.getLastStartedTime().getNanos());
    }

    /** Asks for the cancel and waits a while for its effect; empty when it has none yet, or the order is over. */
    Optional<OrderState> cancel(UserId userId, ClientOrderId id, Duration patience) throws InterruptedException {
        UpdateOptions<OrderState> cancel = UpdateOptions.newBuilder(OrderState.class)
                .setUpdateName("cancel")
                .setWaitForStage(WorkflowUpdateStage.ACCEPTED)
                .build();
        try {
            WorkflowUpdateHandle<OrderState> effect = stub(userId, id).startUpdate(cancel);
            return Optional.of(effect.getResultAsync(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .get());
        } catch (WorkflowNotFoundException over) {
            return Optional.empty();
        } catch (ExecutionException late) {
            if (late.getCause() instanceof TimeoutException
                    || late.getCause() instanceof WorkflowUpdateTimeoutOrCancelledException) {
                return Optional.empty();
            }
            throw new IllegalStateException("the cancel could not be followed", late.getCause());
        }
    }

    private DescribeWorkflowExecutionResponse describe(UserId userId, ClientOrderId id) {
        return temporal.getWorkflowServiceStubs()
                .blockingStub()
                .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setExecution(WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.order(userId, id)))
                        .build());
    }

    private WorkflowStub stub(UserId userId, ClientOrderId id) {
        return temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id));
    }
}
