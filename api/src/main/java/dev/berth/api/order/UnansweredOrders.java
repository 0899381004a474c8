package dev.berth.api.order;

import com.google.protobuf.ByteString;
import dev.berth.activities.risk.ActiveOrders.Active;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsResponse;
import io.temporal.client.WorkflowClient;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Orders that wait for the venue's first answer, as Temporal knows them. */
@Component
class UnansweredOrders {
    private static final int PAGE = 1000;

    private static final String QUERY = "WorkflowType = '" + OrderWorkflow.TYPE + "' AND ExecutionStatus = 'Running'"
            + " AND " + BerthSearchAttributes.ORDER_STATUS.getName() + " IN ("
            + Arrays.stream(OrderStatus.values())
                    .filter(OrderStatus::isUnanswered)
                    .map(status -> "'" + status + "'")
                    .collect(Collectors.joining(", "))
            + ")";

    private final WorkflowClient temporal;

    UnansweredOrders(WorkflowClient temporal) {
        this.temporal = temporal;
    }

    /** All of them by the index, which is a moment late, and when each was started. */
    Map<Active, Instant> all() {
        Map<Active, Instant> all = new HashMap<>();
        ByteString token = ByteString.EMPTY;
        do {
            ListWorkflowExecutionsResponse page = temporal.getWorkflowServiceStubs()
                    .blockingStub()
                    .listWorkflowExecutions(ListWorkflowExecutionsRequest.newBuilder()
                            .setNamespace(temporal.getOptions().getNamespace())
                            .setQuery(QUERY)
                            .setPageSize(PAGE)
                            .setNextPageToken(token)
                            .build());
            page.getExecutionsList().forEach(order -> add(order, all));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return all;
    }

    private static void add(WorkflowExecutionInfo order, Map<Active, Instant> all) {
        WorkflowIds.order(order.getExecution().getWorkflowId())
                .ifPresent(id -> all.put(
                        new Active(id.userId(), id.clientOrderId()),
                        Instant.ofEpochSecond(order.getStartTime().getSeconds())));
    }

    /** Whether its workflow runs; by the truth itself, not by the index. */
    boolean isRunning(Active order) {
        try {
            return temporal.getWorkflowServiceStubs()
                            .blockingStub()
                            .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                                    .setNamespace(temporal.getOptions().getNamespace())
                                    .setExecution(WorkflowExecution.newBuilder()
                                            .setWorkflowId(WorkflowIds.order(order.userId(), order.clientOrderId())))
                                    .build())
                            .getWorkflowExecutionInfo()
                            .getStatus()
                    == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
        } catch (StatusRuntimeException refused) {
            if (refused.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return false;
            }
            throw refused;
        }
    }
}
