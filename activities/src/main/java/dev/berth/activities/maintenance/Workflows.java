package dev.berth.activities.maintenance;

import dev.berth.activities.IndexedKeyword;
import dev.berth.activities.RunningWorkflows;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Latest;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.order.OrderWorkflowOptions;
import dev.berth.workflows.worker.WorkerLifecycleOptions;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerState;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.common.converter.DefaultDataConverter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lifecycles and orders: all of them by the index, and each by itself. */
final class Workflows implements FleetIndex {
    /** So many runs that were cut off are looked at in one sweep: a call each, and the other kinds of drift wait. */
    private static final int LOOKED_AT = 500;

    private static final int SETTLED_KEPT = 50_000;

    private final WorkflowClient temporal;
    private final RunningWorkflows running;
    private final KnownLifecycles lifecycles;
    private final IndexedKeyword<OrderStatus> statuses =
            new IndexedKeyword<>(BerthSearchAttributes.ORDER_STATUS, OrderStatus.class);

    /** Runs that were cut off, and that another followed or whose order was over. */
    private final Map<String, Boolean> settled = Collections.synchronizedMap(new Latest<>(SETTLED_KEPT));

    Workflows(WorkflowClient temporal, InstantSource clock) {
        this.temporal = temporal;
        this.running = new RunningWorkflows(temporal);
        this.lifecycles = new KnownLifecycles(new IndexedLifecycles(running), clock);
    }

    @Override
    public Map<UserId, WorkerPhase> lifecycles() {
        return lifecycles.read();
    }

    @Override
    public Map<UserId, ClientOrderId> orders() {
        Map<UserId, ClientOrderId> all = new HashMap<>();
        running.each(RunningWorkflows.ORDERS, found -> {
            if (isOpen(found)) {
                WorkflowIds.order(found.getExecution().getWorkflowId())
                        .ifPresent(id -> all.put(id.userId(), id.clientOrderId()));
            }
        });
        return all;
    }

    /**
     * The index keeps a run that was cut off for as long as its history, though another has begun since, so each is looked
     * at itself, until it is settled.
     */
    @Override
    public List<OrderId> abandoned() {
        List<WorkflowExecution> cutOff = new ArrayList<>();
        running.each(RunningWorkflows.ORDERS_CUT_OFF, found -> {
            if (isOpen(found) && !settled.containsKey(found.getExecution().getRunId())) {
                cutOff.add(found.getExecution());
            }
        });
        List<OrderId> abandoned = new ArrayList<>();
        for (WorkflowExecution run : cutOff.subList(0, Math.min(cutOff.size(), LOOKED_AT))) {
            if (isLatest(run)) {
                WorkflowIds.order(run.getWorkflowId()).ifPresent(abandoned::add);
            } else {
                settled.put(run.getRunId(), true);
            }
        }
        return abandoned;
    }

    private boolean isLatest(WorkflowExecution run) {
        return running.latest(run.getWorkflowId())
                .filter(latest -> latest.getExecution().getRunId().equals(run.getRunId()))
                .isPresent();
    }

    /** A filter of the query would cost the index more than this. */
    private boolean isOpen(WorkflowExecutionInfo order) {
        return statuses.of(order).filter(OrderStatus::isFinal).isEmpty();
    }

    /** Empty when the user's lifecycle does not run. */
    Optional<WorkerState> lifecycle(UserId userId) {
        String id = WorkflowIds.worker(userId);
        return runs(id)
                ? Optional.of(temporal.newUntypedWorkflowStub(id).query("state", WorkerState.class))
                : Optional.empty();
    }

    /** Empty when there is none, or it is over. */
    Optional<OrderState> order(UserId userId, ClientOrderId clientOrderId) {
        String id = WorkflowIds.order(userId, clientOrderId);
        return runs(id)
                ? Optional.of(temporal.newUntypedWorkflowStub(id).query("state", OrderState.class))
                : Optional.empty();
    }

    /** The last run of an order's workflow; empty when there is none, or it runs. */
    Optional<WorkflowExecution> ended(UserId userId, ClientOrderId clientOrderId) {
        return running.latest(WorkflowIds.order(userId, clientOrderId))
                .filter(latest -> latest.getStatus() != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
                .map(WorkflowExecutionInfo::getExecution);
    }

    /** How the order was when the run began. */
    OrderState input(WorkflowExecution run) {
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
        return DefaultDataConverter.STANDARD_INSTANCE.fromPayloads(
                0, Optional.of(input), OrderState.class, OrderState.class);
    }

    /** Nothing is to be done about this run any more: no sweep of this process looks at it again. */
    void settle(WorkflowExecution run) {
        settled.put(run.getRunId(), true);
    }

    /** Starts the workflow of an order once more, from this state on; false when it runs. */
    boolean startAgain(OrderState order) {
        try {
            temporal.newUntypedWorkflowStub(OrderWorkflow.TYPE, OrderWorkflowOptions.again(order))
                    .start(order);
            return true;
        } catch (WorkflowExecutionAlreadyStarted running) {
            return false;
        }
    }

    /** By the truth itself, not by the index. */
    boolean runs(String workflowId) {
        return running.runs(workflowId);
    }

    /** Signals the user's lifecycle. Has none: nobody is told. */
    void tell(UserId userId, String signal, Object... arguments) {
        try {
            temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId)).signal(signal, arguments);
        } catch (WorkflowNotFoundException nobody) {
            // Then nobody counts on what is told.
        }
    }

    /** A worker lives: tells the user's lifecycle, which is started when there is none. */
    void seen(UserId userId, long epoch, String taskArn) {
        // An epoch of 0 stands for "none" where proofs of death are asked for; no epoch is older than 1.
        Object[] signal = {Math.max(1, epoch), taskArn};
        temporal.newUntypedWorkflowStub(WorkerLifecycleWorkflow.TYPE, WorkerLifecycleOptions.of(userId))
                .signalWithStart("seen", signal, new Object[] {WorkerState.none(userId)});
    }
}
