package dev.berth.temporal.client;

import dev.berth.temporal.client.Visibility.Attribute;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderResolution;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.order.Replacement;
import dev.berth.workflows.order.VenueOrders;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateHandle;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.client.WorkflowUpdateTimeoutOrCancelledException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Starts, queries, describes and updates order workflows. */
public final class OrderWorkflowClient {
    /**
     * The server answers with these before it starts anything, and Temporal's client does not retry
     * them. A status that the client retries, such as {@code RESOURCE_EXHAUSTED}, may answer one
     * call while an earlier one succeeded.
     */
    private static final Set<Status.Code> REFUSED = Set.of(
            Status.Code.INVALID_ARGUMENT,
            Status.Code.PERMISSION_DENIED,
            Status.Code.UNAUTHENTICATED,
            Status.Code.NOT_FOUND,
            Status.Code.FAILED_PRECONDITION);

    private static final UpdateOptions<OrderState> ACCEPTED = UpdateOptions.newBuilder(OrderState.class)
            .setWaitForStage(WorkflowUpdateStage.ACCEPTED)
            .build();

    private static final Attribute<OrderStatus> STATUS =
            new Attribute<>(BerthSearchAttributes.ORDER_STATUS, OrderStatus.class);

    private final WorkflowClient temporal;

    public OrderWorkflowClient(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /**
     * Starts an order; false when an order with this id was started before.
     *
     * @param hasWorker whether the user's worker renewed its heartbeat at admission
     */
    public boolean start(OrderRequest order, boolean hasWorker) {
        try {
            OrderWorkflow workflow = temporal.newWorkflowStub(OrderWorkflow.class, OrderPolicies.start(order));
            TemporalDeadline.call(() -> WorkflowClient.start(workflow::run, OrderState.accepted(order, hasWorker)));
            return true;
        } catch (WorkflowExecutionAlreadyStarted earlier) {
            return false;
        }
    }

    /** Starts the workflow of an order again, with this state; false when the workflow runs. */
    public boolean restart(OrderState order) {
        try {
            OrderWorkflow workflow = temporal.newWorkflowStub(OrderWorkflow.class, OrderPolicies.startAgain(order));
            WorkflowClient.start(workflow::run, order);
            return true;
        } catch (WorkflowExecutionAlreadyStarted running) {
            return false;
        }
    }

    /** Tells an order that no worker takes it; over already: nothing happens. */
    public void workerMissing(UserId userId, ClientOrderId id) {
        try {
            workflow(userId, id).workerMissing();
        } catch (WorkflowNotFoundException over) {
            // It needs none any more.
        }
    }

    /** Whether the server refused the start; after any other failure the order may have started. */
    public static boolean isStartRefused(RuntimeException failure) {
        return Stream.<Throwable>iterate(failure, cause -> cause != null, Throwable::getCause)
                .anyMatch(cause -> cause instanceof StatusRuntimeException refused
                        && REFUSED.contains(refused.getStatus().getCode()));
    }

    /**
     * The order, as dispatched while a worker submits the order; empty when there is no such order.
     */
    public Optional<OrderState> state(UserId userId, ClientOrderId id) {
        try {
            OrderState order = TemporalDeadline.call(workflow(userId, id)::state);
            return Optional.of(order.status().isUnanswered() ? withDispatch(order) : order);
        } catch (WorkflowNotFoundException none) {
            return Optional.empty();
        }
    }

    /** Empty when the order's workflow does not run. */
    public Optional<OrderState> stateIfRunning(UserId userId, ClientOrderId id) {
        return describe(userId, id)
                .filter(OrderWorkflowClient::isRunning)
                .map(_ -> workflow(userId, id).state());
    }

    /** Only <i>describe</i> knows the state of a pending activity: the history does not hold it. */
    public OrderState withDispatch(OrderState order) {
        return describe(order.request().userId(), order.request().clientOrderId()).stream()
                .flatMap(workflow -> workflow.getRawDescription().getPendingActivitiesList().stream())
                .filter(activity -> activity.getActivityType().getName().equals(VenueOrders.SUBMIT))
                .filter(activity -> activity.getState() == PendingActivityState.PENDING_ACTIVITY_STATE_STARTED)
                .findFirst()
                .map(activity -> order.dispatched(startTime(activity)))
                .orElse(order);
    }

    private static Instant startTime(PendingActivityInfo activity) {
        return Instant.ofEpochSecond(
                activity.getLastStartedTime().getSeconds(),
                activity.getLastStartedTime().getNanos());
    }

    /**
     * Whether the order's workflow runs and the venue has not answered, by the execution itself.
     */
    public boolean isUnanswered(UserId userId, ClientOrderId id) {
        return describe(userId, id)
                .filter(OrderWorkflowClient::isRunning)
                .flatMap(order -> STATUS.of(order.getWorkflowExecutionInfo()))
                .filter(OrderStatus::isUnanswered)
                .isPresent();
    }

    /**
     * The latest run, by the execution itself; empty when there is none, or its retention is over.
     */
    public Optional<WorkflowExecutionDescription> describe(UserId userId, ClientOrderId id) {
        try {
            return Optional.of(TemporalDeadline.call(
                    () -> WorkflowStub.fromTyped(workflow(userId, id)).describe()));
        } catch (WorkflowNotFoundException none) {
            return Optional.empty();
        }
    }

    public static boolean isRunning(WorkflowExecutionDescription order) {
        return order.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    }

    /**
     * Whether the run ended without an end of the order. A run that was canceled ends as
     * {@code CANCELED} with its order, but also where it would continue as new.
     */
    public static boolean isAborted(WorkflowExecutionDescription order) {
        return switch (order.getStatus()) {
            case WORKFLOW_EXECUTION_STATUS_TERMINATED,
                    WORKFLOW_EXECUTION_STATUS_FAILED,
                    WORKFLOW_EXECUTION_STATUS_TIMED_OUT -> true;
            case WORKFLOW_EXECUTION_STATUS_CANCELED ->
                STATUS.of(order.getWorkflowExecutionInfo())
                        .filter(OrderStatus::isFinal)
                        .isEmpty();
            default -> false;
        };
    }

    /** The state that this run was started with. */
    public OrderState input(WorkflowExecution run) {
        Payloads input = temporal.getWorkflowServiceStubs()
                .blockingStub()
                .getWorkflowExecutionHistory(GetWorkflowExecutionHistoryRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setExecution(run)
                        .setMaximumPageSize(1)
                        .build())
                .getHistory()
                .getEvents(0)
                .getWorkflowExecutionStartedEventAttributes()
                .getInput();
        return temporal.getOptions()
                .getDataConverter()
                .fromPayloads(0, Optional.of(input), OrderState.class, OrderState.class);
    }

    /**
     * Cancels, and waits for the effect.
     *
     * @return empty when the time is over, or the order's workflow is closed
     */
    public Optional<OrderState> cancel(UserId userId, ClientOrderId id, Duration timeout) throws InterruptedException {
        return result(timeout, () -> WorkflowClient.startUpdate(workflow(userId, id)::cancel, ACCEPTED));
    }

    /**
     * Requests the cancel without waiting for its effect; an order that is over is left alone.
     *
     * @param request the same one is made once, since Temporal bounds the updates that wait
     */
    public void requestCancel(UserId userId, ClientOrderId id, String request) {
        UpdateOptions<OrderState> once = UpdateOptions.newBuilder(OrderState.class)
                .setWaitForStage(WorkflowUpdateStage.ACCEPTED)
                .setUpdateId(request)
                .build();
        try {
            TemporalDeadline.call(() -> WorkflowClient.startUpdate(workflow(userId, id)::cancel, once));
        } catch (WorkflowNotFoundException over) {
            // Nothing is left to cancel.
        }
    }

    /**
     * Replaces quantity or price, and waits for the effect.
     *
     * @return empty when the time is over, or the order's workflow is closed
     * @throws WorkflowUpdateException when the workflow's validator rejects the terms
     */
    public Optional<OrderState> replace(UserId userId, ClientOrderId id, Replacement change, Duration timeout)
            throws InterruptedException {
        return result(timeout, () -> WorkflowClient.startUpdate(workflow(userId, id)::replace, change, ACCEPTED));
    }

    /**
     * Tells the order what a person found at the broker, and waits for the effect.
     *
     * @return empty when the time is over, or the order's workflow is closed
     * @throws WorkflowUpdateException when the order waits for no person's word
     */
    public Optional<OrderState> resolve(UserId userId, ClientOrderId id, OrderResolution resolution, Duration timeout)
            throws InterruptedException {
        return result(timeout, () -> WorkflowClient.startUpdate(workflow(userId, id)::resolve, resolution, ACCEPTED));
    }

    private static Optional<OrderState> result(Duration timeout, Supplier<WorkflowUpdateHandle<OrderState>> update)
            throws InterruptedException {
        try {
            return Optional.of(update.get()
                    .getResultAsync(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .get());
        } catch (WorkflowNotFoundException closed) {
            return Optional.empty();
        } catch (ExecutionException failure) {
            return switch (failure.getCause()) {
                case TimeoutException _ -> Optional.empty();
                case WorkflowUpdateTimeoutOrCancelledException _ -> Optional.empty();
                // Deleted, terminated or reset meanwhile.
                case WorkflowNotFoundException _ -> Optional.empty();
                case WorkflowUpdateException rejected -> throw rejected;
                case WorkflowServiceException unavailable -> throw unavailable;
                case StatusRuntimeException gone
                when gone.getStatus().getCode() == Status.Code.NOT_FOUND -> Optional.empty();
                case StatusRuntimeException unavailable -> throw unavailable;
                case null, default -> throw new IllegalStateException("cannot follow the update", failure.getCause());
            };
        }
    }

    private OrderWorkflow workflow(UserId userId, ClientOrderId id) {
        return temporal.newWorkflowStub(OrderWorkflow.class, WorkflowIds.order(userId, id));
    }
}
