package dev.berth.activities.maintenance;

import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.WorkflowIds.OrderId;
import io.temporal.api.common.v1.WorkflowExecution;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Open orders whose last run was terminated, failed or timed out. */
final class AbandonedOrders {
    /** Each costs a call, and the other kinds of drift wait meanwhile. */
    private static final int DESCRIBED_PER_SWEEP = 500;

    private static final int SETTLED_KEPT = 50_000;

    private final OrderWorkflowClient orders;
    /** Ids of aborted runs that need nothing: a later run followed, or the order is final. */
    private final Map<String, Boolean> settled = Collections.synchronizedMap(new BoundedMap<>(SETTLED_KEPT));

    AbandonedOrders(OrderWorkflowClient orders) {
        this.orders = orders;
    }

    /** The orders whose latest run is among these aborted runs. */
    List<OrderId> among(List<WorkflowExecution> abortedRuns) {
        List<OrderId> abandoned = new ArrayList<>();
        abortedRuns.stream()
                .filter(run -> !settled.containsKey(run.getRunId()))
                .limit(DESCRIBED_PER_SWEEP)
                .forEach(run -> orderIfLatest(run).ifPresentOrElse(abandoned::add, () -> settle(run)));
        return abandoned;
    }

    private Optional<OrderId> orderIfLatest(WorkflowExecution run) {
        return WorkflowIds.order(run.getWorkflowId())
                .filter(order -> orders.describe(order.userId(), order.clientOrderId())
                        .filter(latest -> latest.getExecution().getRunId().equals(run.getRunId()))
                        .isPresent());
    }

    /** No sweep of this process describes this run again. */
    void settle(WorkflowExecution run) {
        settled.put(run.getRunId(), true);
    }
}
