package dev.berth.api.order;

import dev.berth.activities.RunningWorkflows;
import dev.berth.activities.risk.ActiveOrders.Active;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.OrderStatus;
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

    /** Whether its workflow runs; by the truth itself, not by the index. */
    boolean isRunning(Active order) {
        return workflows.runs(WorkflowIds.order(order.userId(), order.clientOrderId()));
    }
}
