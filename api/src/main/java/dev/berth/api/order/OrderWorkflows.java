package dev.berth.api.order;

import dev.berth.api.Problem;
import dev.berth.api.Prompt;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.order.OrderWorkflowOptions;
import dev.berth.workflows.order.Replacement;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateHandle;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.client.WorkflowUpdateTimeoutOrCancelledException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Order workflows as the API starts, reads and changes them. */
@Component
class OrderWorkflows {
    /**
     * What the server answers before it begins anything, and its client does not repeat. What is repeated, such as
     * {@code RESOURCE_EXHAUSTED}, may be told of an earlier call while a later one was not answered.
     */
    private static final Set<Status.Code> REFUSED = Set.of(
            Status.Code.INVALID_ARGUMENT,
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
            WorkflowStub workflow =
                    temporal.newUntypedWorkflowStub(OrderWorkflow.TYPE, OrderWorkflowOptions.first(order));
            Prompt.call(() -> workflow.start(OrderState.accepted(order)));
            return true;
        } catch (WorkflowExecutionAlreadyStarted before) {
            return false;
        }
    }

    /**
     * Starts the workflow of an order that was over once more, from this state on.
     *
     * @return false when its workflow runs: somebody else did so, or it has not ended yet
     */
    boolean startAgain(OrderState requeued) {
        try {
            temporal.newUntypedWorkflowStub(OrderWorkflow.TYPE, OrderWorkflowOptions.again(requeued))
                    .start(requeued);
            return true;
        } catch (WorkflowExecutionAlreadyStarted running) {
            return false;
        }
    }

    /** Whether the server refused the start; after any other failure the order may have been started. */
    static boolean isSurelyNotStarted(RuntimeException failed) {
        return Stream.<Throwable>iterate(failed, cause -> cause != null, Throwable::getCause)
                .anyMatch(cause -> cause instanceof StatusRuntimeException refused
                        && REFUSED.contains(refused.getStatus().getCode()));
    }

    /** The order from its workflow, shown as dispatched while a worker has it in hand; empty when there is none. */
    Optional<OrderState> find(UserId userId, ClientOrderId id) {
        try {
            OrderState order = Prompt.call(() -> stub(userId, id).query("state", OrderState.class));
            return Optional.of(order.status().isUnanswered() ? withDispatch(order) : order);
        } catch (WorkflowNotFoundException none) {
            return Optional.empty();
        }
    }

    /** The state of the pending activity stands in no history: only <i>describe</i> knows it. */
    OrderState withDispatch(OrderState order) {
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
        return update("cancel", userId, id, patience);
    }

    /**
     * Asks for other terms and waits a while for the effect; empty when it has none yet, or the order is over.
     *
     * @throws Problem.Refusal when the order can not have such terms
     */
    Optional<OrderState> replace(UserId userId, ClientOrderId id, Replacement change, Duration patience)
            throws InterruptedException {
        return update("replace", userId, id, patience, change);
    }

    private Optional<OrderState> update(
            String name, UserId userId, ClientOrderId id, Duration patience, Object... arguments)
            throws InterruptedException {
        UpdateOptions<OrderState> update = UpdateOptions.newBuilder(OrderState.class)
                .setUpdateName(name)
                .setWaitForStage(WorkflowUpdateStage.ACCEPTED)
                .build();
        try {
            WorkflowUpdateHandle<OrderState> effect = stub(userId, id).startUpdate(update, arguments);
            return Optional.of(effect.getResultAsync(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .get());
        } catch (WorkflowNotFoundException over) {
            return Optional.empty();
        } catch (WorkflowUpdateException refused) {
            throw refusal(refused);
        } catch (ExecutionException end) {
            return switch (end.getCause()) {
                case TimeoutException _ -> Optional.empty();
                case WorkflowUpdateTimeoutOrCancelledException _ -> Optional.empty();
                case WorkflowUpdateException refused -> throw refusal(refused);
                case null, default ->
                    throw new IllegalStateException("the " + name + " could not be followed", end.getCause());
            };
        }
    }

    /** The workflow's validator said no; its sentence is for the user. */
    private static Problem.Refusal refusal(WorkflowUpdateException refused) {
        return Problem.INVALID_ORDER.because(
                refused.getCause() instanceof ApplicationFailure why
                        ? why.getOriginalMessage()
                        : String.valueOf(refused.getMessage()));
    }

    private DescribeWorkflowExecutionResponse describe(UserId userId, ClientOrderId id) {
        DescribeWorkflowExecutionRequest question = DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(temporal.getOptions().getNamespace())
                .setExecution(WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.order(userId, id)))
                .build();
        return Prompt.call(
                () -> temporal.getWorkflowServiceStubs().blockingStub().describeWorkflowExecution(question));
    }

    private WorkflowStub stub(UserId userId, ClientOrderId id) {
        return temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id));
    }
}
