package dev.berth.api.order;

import dev.berth.activities.IndexedKeyword;
import dev.berth.activities.RunningWorkflows;
import dev.berth.activities.risk.ActiveOrders.Active;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderStatus;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.client.WorkflowClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Orders that wait for the venue's first answer, as Temporal knows them. */
@Component
class UnansweredOrders {
    private static final String QUERY = RunningWorkflows.orders(OrderStatus::isUnanswered);

    private final RunningWorkflows workflows;
    private final IndexedKeyword<OrderStatus> statuses =
            new IndexedKeyword<>(BerthSearchAttributes.ORDER_STATUS, OrderStatus.class);

    UnansweredOrders(WorkflowClient temporal) {
        this.workflows = new RunningWorkflows(temporal);
    }

    /** All of them by the index, which is a moment late, and when each was started. */
    Map<Active, Instant> all() {
        Map<Active, Instant> all = new HashMap<>();
        workflows.each(QUERY, order -> add(order, all));
        return all;
    }

    private static void add(WorkflowExecutionInfo order, Map<Active, Instant> all) {
        WorkflowIds.order(order.getExecution().getWorkflowId())
                .ifPresent(id -> all.put(
                        new Active(id.userId(), id.clientOrderId()),
                        Instant.ofEpochSecond(order.getStartTime().getSeconds())));
    }

    /** Whether it waits still; by the truth itself, not by the index. */
    boolean waits(Active order) {
        return workflows
                .latest(WorkflowIds.order(order.userId(), order.clientOrderId()))
                .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
                .flatMap(statuses::of)
                .filter(OrderStatus::isUnanswered)
                .isPresent();
    }
}
