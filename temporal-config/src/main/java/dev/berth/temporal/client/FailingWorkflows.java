package dev.berth.temporal.client;

import dev.berth.temporal.client.Visibility.Attribute;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderWorkflow;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.client.WorkflowClient;
import io.temporal.common.SearchAttributeKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Running workflows that stand still. The workflow tasks of some fail again and again: code that
 * does otherwise than a history, a key that is missing, or a workflow that was started by hand.
 * Others were started by hand on a task queue from which nothing takes them.
 */
public final class FailingWorkflows {
    /** The server sets it after five failures in a row, and removes it with the next success. */
    private static final String PROBLEMS = "TemporalReportedProblems";

    private static final String FAILING = "ExecutionStatus = 'Running' AND (" + PROBLEMS
            + " IS NOT NULL OR (WorkflowType " + in(OrderWorkflow.TYPE, WorkerLifecycleWorkflow.TYPE, PoolWorkflow.TYPE)
            + " AND TaskQueue NOT " + in(TaskQueues.ORDERS, TaskQueues.FLEET) + "))";

    private final Visibility visibility;
    private final Attribute<String[]> problems =
            new Attribute<>(SearchAttributeKey.forKeywordList(PROBLEMS), String[].class);

    public FailingWorkflows(WorkflowClient temporal) {
        this.visibility = new Visibility(temporal);
    }

    /**
     * A workflow that stands still.
     *
     * @param problem as the server has it, such as {@code category=WorkflowTaskFailed}, or the task
     *     queue that nothing polls
     */
    public record FailingWorkflow(String workflowId, String type, String problem, Instant runSince) {}

    /**
     * Lists them.
     *
     * @param userId only those that Berth started for this user; null for all
     * @param cursor of an earlier page; null for the first page
     * @throws IllegalArgumentException when no earlier page gave this cursor
     */
    public Page<FailingWorkflow> page(@Nullable UserId userId, int limit, @Nullable String cursor) {
        String query = userId == null ? FAILING : FAILING + Visibility.ofUser(userId);
        return visibility.page(query, limit, cursor).map(this::row);
    }

    private static String in(String... values) {
        return "IN ('" + String.join("', '", values) + "')";
    }

    private FailingWorkflow row(WorkflowExecutionInfo workflow) {
        return new FailingWorkflow(
                workflow.getExecution().getWorkflowId(),
                workflow.getType().getName(),
                problems.of(workflow)
                        .map(all -> String.join(", ", all))
                        .orElseGet(() -> "on the task queue " + workflow.getTaskQueue() + ", which nothing polls"),
                Visibility.startTime(workflow));
    }

    public long count() {
        return visibility.count(FAILING);
    }
}
