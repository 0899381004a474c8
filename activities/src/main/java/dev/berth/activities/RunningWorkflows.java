package dev.berth.activities;

import com.google.protobuf.ByteString;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsResponse;
import io.temporal.client.WorkflowClient;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Workflows that run, or were ended: many of them by Temporal's index, a moment late, and one of them by the truth itself. */
public final class RunningWorkflows {
    /** Of all workers. */
    public static final String LIFECYCLES = running(WorkerLifecycleWorkflow.TYPE);
    /** Of workers, and over; one that goes on in another run is not. */
    public static final String LIFECYCLES_ENDED = "WorkflowType = '" + WorkerLifecycleWorkflow.TYPE
            + "' AND ExecutionStatus IN ('Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut')";
    /** Of orders; one that is final may still run for a while. */
    public static final String ORDERS = running(OrderWorkflow.TYPE);
    /** Of orders that are not final. */
    public static final String OPEN_ORDERS = orders(status -> !status.isFinal());
    /** Runs of orders that did not come to their end by themselves. */
    public static final String ORDERS_CUT_OFF =
            "WorkflowType = '" + OrderWorkflow.TYPE + "' AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut')";

    /** The most that the server is set to give in one answer; one that is not gives its own most, mostly 1,000. */
    private static final int PAGE = 10_000;

    private final WorkflowClient temporal;

    public RunningWorkflows(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    private static String running(String type) {
        return "WorkflowType = '" + type + "' AND ExecutionStatus = 'Running'";
    }

    /** Of orders in one of these states. */
    public static String orders(Predicate<OrderStatus> in) {
        return Stream.of(OrderStatus.values())
                .filter(in)
                .map(status -> "'" + status + "'")
                .collect(Collectors.joining(
                        ", ", ORDERS + " AND " + BerthSearchAttributes.ORDER_STATUS.getName() + " IN (", ")"));
    }

    /** Tells every workflow that the query finds, page by page. */
    public void each(String query, Consumer<WorkflowExecutionInfo> to) {
        ByteString token = ByteString.EMPTY;
        do {
            ListWorkflowExecutionsResponse page = page(query, PAGE, token);
            page.getExecutionsList().forEach(to);
            token = page.getNextPageToken();
        } while (!token.isEmpty());
    }

    /** How many workflows the query finds. */
    public long count(String query) {
        return temporal.getWorkflowServiceStubs()
                .blockingStub()
                .countWorkflowExecutions(CountWorkflowExecutionsRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setQuery(query)
                        .build())
                .getCount();
    }

    /**
     * One page of what the query finds.
     *
     * @param token of the page before; empty for the first
     * @throws StatusRuntimeException when the server does not answer, or did not give this token
     */
    public ListWorkflowExecutionsResponse page(String query, int limit, ByteString token) {
        return temporal.getWorkflowServiceStubs()
                .blockingStub()
                .listWorkflowExecutions(ListWorkflowExecutionsRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setQuery(query)
                        .setPageSize(limit)
                        .setNextPageToken(token)
                        .build());
    }

    /** Whether this one runs; by the truth itself, not by the index. */
    public boolean runs(String workflowId) {
        return latest(workflowId)
                .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
                .isPresent();
    }

    /** The latest run of this id, over or not; by the truth itself. Empty when there was none, or it is forgotten. */
    public Optional<WorkflowExecutionInfo> latest(String workflowId) {
        try {
            return Optional.of(temporal.getWorkflowServiceStubs()
                    .blockingStub()
                    .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                            .setNamespace(temporal.getOptions().getNamespace())
                            .setExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId))
                            .build())
                    .getWorkflowExecutionInfo());
        } catch (StatusRuntimeException refused) {
            if (refused.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return Optional.empty();
            }
            throw refused;
        }
    }
}
