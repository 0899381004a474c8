package dev.berth.workflows.order;

import static io.temporal.api.enums.v1.WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE;
import static io.temporal.api.enums.v1.WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.RetryPolicies;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.Priority;
import io.temporal.common.RetryOptions;
import io.temporal.common.SearchAttributes;
import java.time.Duration;
import java.util.Map;

/** How an order's workflow is started, and every time-out and retry of it, with its why. */
public final class OrderPolicies {
    /**
     * How long the submission of an order may take before its outcome counts as unknown, at most.
     */
    public static final Duration BROKER_CALL = Duration.ofSeconds(15);
    /** How long any other call to a broker may take, at most. */
    public static final Duration OTHER_CALL = Duration.ofSeconds(60);
    /**
     * How long a worker may have a question to the venue in hand: more than the two calls that it
     * may take, since it first waits for a submission.
     */
    static final Duration ORDER_CHECK = Duration.ofMinutes(2);
    /** The worker beats every second; three missed beats mean that it is gone or frozen. */
    public static final Duration HEARTBEAT = Duration.ofSeconds(3);
    /** How long a request may still travel to the venue after its sender died. */
    public static final Duration SETTLE = Duration.ofSeconds(10);
    /** A first task that a dying replica took eagerly is tried elsewhere after this long. */
    public static final Duration WORKFLOW_TASK = Duration.ofSeconds(3);

    /**
     * A warm worker takes an order within milliseconds, so after a second it is worth asking for
     * one.
     */
    static final Duration FIRST_RETRY = Duration.ofSeconds(1);

    static final Duration LONGEST_RETRY = Duration.ofSeconds(15);
    /**
     * A worker that declined is about to be replaced; asking it at once again would only be
     * declined again.
     */
    static final Duration AFTER_DECLINE = Duration.ofMillis(250);
    /** Fills are pushed; these checks only catch what a push lost. */
    static final Duration FIRST_CHECK = Duration.ofSeconds(2);

    static final Duration LONGEST_CHECK = Duration.ofMinutes(5);
    /** While the session surely hears of every change. */
    static final Duration LONGEST_STREAMED_CHECK = Duration.ofHours(1);
    /**
     * So often the venue is asked to cancel what arrived late: for a day, at the pauses of checks.
     */
    static final int LATE_CANCELS = 288;
    /**
     * So often a worker is asked for missing executions: for two minutes and longer, as a worker
     * may be replaced.
     */
    static final int EXECUTION_QUERIES = 10;
    /**
     * A worker is replaced and a venue is back within minutes; what takes longer takes a person.
     */
    static final Duration CALL_AFTER = Duration.ofMinutes(10);
    /** The venue's status (Alpaca's, after FIX's) of an order that another one has replaced. */
    public static final String REPLACED = "replaced";

    /** The venue's status (FIX OrdStatus A) of an order that no exchange has yet. */
    static final String PENDING_NEW = "pending_new";

    static final Duration FIRST_REWRITE = Duration.ofSeconds(1);
    static final Duration LONGEST_REWRITE = Duration.ofSeconds(10);

    /** How long a question waits for a worker before one is asked for again. */
    static final Duration QUESTION_TAKEN = Duration.ofSeconds(5);

    private OrderPolicies() {}

    /** Longer after each check in a row that brought nothing new. */
    static Duration checkPause(PendingWork.Venue venue) {
        Duration longest = venue.streamed() ? LONGEST_STREAMED_CHECK : LONGEST_CHECK;
        return ExponentialBackoff.pause(FIRST_CHECK, longest, venue.checks() + 1);
    }

    /** No order had this id before. */
    public static WorkflowOptions start(OrderRequest order) {
        return workflow(order, WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE, OrderStatus.PENDING);
    }

    /** Its workflow is over; one that runs is left alone. */
    public static WorkflowOptions startAgain(OrderState order) {
        return workflow(order.request(), WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE, order.status());
    }

    private static WorkflowOptions workflow(OrderRequest order, WorkflowIdReusePolicy reuse, OrderStatus status) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.order(order.userId(), order.clientOrderId()))
                .setTaskQueue(TaskQueues.ORDERS)
                .setWorkflowIdReusePolicy(reuse)
                .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL)
                .setWorkflowTaskTimeout(WORKFLOW_TASK)
                .setDisableEagerExecution(false)
                .setMemo(Map.of(OrderWorkflow.REQUEST_HASH, order.contentHash()))
                .setStaticSummary("order " + order.clientOrderId() + " of " + order.userId())
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, order.userId().value())
                        .set(BerthSearchAttributes.ORDER_STATUS, status.name())
                        .build())
                .build();
    }

    /** How long a worker may have an order in hand without an answer. */
    static Duration submitLimit() {
        return BROKER_CALL.plusSeconds(5);
    }

    /**
     * One attempt, so that the server never repeats a send by itself, and no schedule-to-close: so
     * "never taken" (schedule-to-start) and "taken, outcome unknown" (all else) stay apart.
     */
    static ActivityOptions submit(OrderRequest request, Duration timeLeft) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.ordersOf(request.userId()))
                .setScheduleToStartTimeout(timeLeft)
                .setStartToCloseTimeout(submitLimit())
                .setHeartbeatTimeout(HEARTBEAT)
                .setRetryOptions(RetryPolicies.ONCE)
                .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
                .setPriority(
                        Priority.newBuilder().setPriorityKey(request.priority()).build())
                .setSummary("send order " + request.clientOrderId())
                .build();
    }

    /**
     * One attempt: the workflow asks again itself, since between two questions it may have to ask
     * for a worker. A question first waits for the submission in hand, then is a call of its own.
     */
    static ActivityOptions ask(UserId userId) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.controlOf(userId))
                .setScheduleToStartTimeout(QUESTION_TAKEN)
                .setStartToCloseTimeout(ORDER_CHECK)
                .setHeartbeatTimeout(HEARTBEAT)
                .setRetryOptions(RetryPolicies.ONCE)
                .setSummary("at the venue, by client order id")
                .build();
    }

    /**
     * Retried until it is written. Longer pauses are timers, since a pause inside a workflow task
     * would hold back whatever else is to do.
     */
    static LocalActivityOptions record() {
        return LocalActivityOptions.newBuilder(write())
                .setRetryOptions(RetryPolicies.untilItSucceeds(Duration.ofMillis(200), LONGEST_REWRITE))
                .setLocalRetryThreshold(Duration.ofSeconds(1))
                .build();
    }

    /**
     * One attempt: the workflow writes again itself, since the order may be further by then. What
     * is written stands in the history only by what led to it: each attempt has all steps that are
     * not written yet.
     */
    static LocalActivityOptions write() {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(10))
                .setRetryOptions(RetryPolicies.ONCE)
                .setDoNotIncludeArgumentsIntoMarker(true)
                .build();
    }

    /** Three quick tries; the next question comes soon enough. */
    static LocalActivityOptions ensure() {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(5))
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(Duration.ofMillis(100))
                        .setMaximumAttempts(3)
                        .build())
                .build();
    }
}
