package dev.berth.temporal.client;

import dev.berth.temporal.client.Visibility.Attribute;
import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderWorkflow;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.client.WorkflowClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Orders by Temporal's visibility, which is a moment late. */
public final class OrderIndex {
    /** The workflow of a final order may still run for a while. */
    private static final String RUNNING = "WorkflowType = '" + OrderWorkflow.TYPE + "' AND ExecutionStatus = 'Running'";

    private static final String OPEN = in(status -> !status.isFinal());
    private static final String UNANSWERED = in(OrderStatus::isUnanswered);
    private static final String ABORTED = "WorkflowType = '" + OrderWorkflow.TYPE
            + "' AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut', 'Canceled')";

    private final Visibility visibility;
    private final Attribute<OrderStatus> status =
            new Attribute<>(BerthSearchAttributes.ORDER_STATUS, OrderStatus.class);

    public OrderIndex(WorkflowClient temporal) {
        this.visibility = new Visibility(temporal);
    }

    private static String in(Predicate<OrderStatus> statuses) {
        return Stream.of(OrderStatus.values())
                .filter(statuses)
                .map(status -> "'" + status + "'")
                .collect(Collectors.joining(
                        ", ", RUNNING + " AND " + BerthSearchAttributes.ORDER_STATUS.getName() + " IN (", ")"));
    }

    public long countOpen() {
        return visibility.count(OPEN);
    }

    /**
     * Counts the running orders in one status.
     *
     * @param status not a final one
     */
    public long countOpen(OrderStatus status) {
        return visibility.count(
                RUNNING + " AND " + BerthSearchAttributes.ORDER_STATUS.getName() + " = '" + status + "'");
    }

    public long countOpen(UserId userId) {
        return visibility.count(OPEN + Visibility.ofUser(userId));
    }

    /** At most {@code limit} of the user's orders that are not final. */
    public Map<ClientOrderId, OrderStatus> open(UserId userId, int limit) {
        Map<ClientOrderId, OrderStatus> orders = new LinkedHashMap<>();
        for (WorkflowExecutionInfo order :
                visibility.page(OPEN + Visibility.ofUser(userId), limit, null).items()) {
            OrderStatus known = status.of(order).orElse(OrderStatus.PENDING);
            id(order).ifPresent(id -> orders.put(id.clientOrderId(), known));
        }
        return orders;
    }

    /**
     * Orders whose workflow runs.
     *
     * @param all also those that are final, whose workflow runs for a while
     * @param openByUser one open order of each user who has any
     */
    public record RunningOrders(Set<OrderId> all, Map<UserId, ClientOrderId> openByUser) {
        public static final RunningOrders NONE = new RunningOrders(Set.of(), Map.of());
    }

    /** Reads every order whose workflow runs. */
    public RunningOrders running() {
        RunningOrders orders = new RunningOrders(new HashSet<>(), new HashMap<>());
        visibility.forEach(
                RUNNING,
                order -> id(order).ifPresent(id -> {
                    orders.all().add(id);
                    if (isOpen(order)) {
                        orders.openByUser().put(id.userId(), id.clientOrderId());
                    }
                }));
        return orders;
    }

    /** Start times of the orders that the venue has not answered. */
    public Map<OrderId, Instant> unanswered() {
        Map<OrderId, Instant> orders = new HashMap<>();
        visibility.forEach(UNANSWERED, order -> id(order).ifPresent(id -> orders.put(id, Visibility.startTime(order))));
        return orders;
    }

    /**
     * Runs that were terminated or canceled, failed or timed out with an open order. Visibility
     * lists such a run for as long as its history is kept, although a later run may have started.
     */
    public List<WorkflowExecution> abortedRuns() {
        List<WorkflowExecution> runs = new ArrayList<>();
        visibility.forEach(ABORTED, order -> {
            if (isOpen(order)) {
                runs.add(order.getExecution());
            }
        });
        return runs;
    }

    /** A filter on the status in the query would cost the database more than this check. */
    private boolean isOpen(WorkflowExecutionInfo order) {
        return status.of(order).filter(OrderStatus::isFinal).isEmpty();
    }

    private static Optional<OrderId> id(WorkflowExecutionInfo order) {
        return WorkflowIds.order(order.getExecution().getWorkflowId());
    }
}
