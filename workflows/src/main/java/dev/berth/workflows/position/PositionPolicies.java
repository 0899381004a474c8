package dev.berth.workflows.position;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.RetryPolicies;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.SearchAttributes;
import io.temporal.workflow.ChildWorkflowOptions;
import java.time.Duration;
import java.util.Map;

/** Every time-out and retry policy of closes of positions, with its reason. */
public final class PositionPolicies {
    /** A close that would begin later is not what its user sees any more. */
    static final Duration OTHER_CLOSE = Duration.ofMinutes(2);
    /** Another close of the account takes a second, unless the worker has to start. */
    static final Duration OTHER_CLOSE_PAUSE = Duration.ofMillis(500);
    /** A worker starts, and is replaced, within this. */
    static final Duration ACCOUNT_READ = Duration.ofSeconds(60);
    /** Within it a broker's request limit has room again, or a worker was asked for again. */
    static final Duration READ_PAUSE = Duration.ofSeconds(1);
    /** What was read longer ago may not be true any more. */
    static final Duration FRESH = Duration.ofSeconds(1);
    /** A venue confirms a cancel within milliseconds; an exchange that is closed does not. */
    static final Duration EXITS_CANCELED = Duration.ofSeconds(30);
    /** An order that was just accepted reaches its venue within this, if its worker runs. */
    static final Duration ORDERS_ANSWERED = Duration.ofSeconds(3);

    private static final Duration FIRST_LOOK = Duration.ofMillis(200);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);
    /** A call of the worker; then the worker is asked for again. */
    private static final Duration WORKER_CALL = Duration.ofSeconds(10);
    /** A process that ends in the middle of a call is noticed so soon. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(3);
    /** As long as a submission may wait for Redis, PostgreSQL and Temporal, and for the venue. */
    private static final Duration API_CALL = Duration.ofSeconds(20);
    /** The account's order rate lets some hundred orders pass within this. */
    private static final Duration ADMISSION = Duration.ofSeconds(40);
    /** A missing quote comes within a second or two. */
    private static final Duration CHECK = Duration.ofSeconds(6);

    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

    private PositionPolicies() {}

    /** A key whose run failed may be used again: nothing was sent. */
    public static WorkflowOptions start(CloseRequest request) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.closePositions(request.userId(), request.account(), request.key()))
                .setTaskQueue(TaskQueues.ORDERS)
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY)
                .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL)
                .setMemo(Map.of(ClosePositionsWorkflow.REQUEST_HASH, request.contentHash()))
                .setStaticSummary("close of positions in " + request.account().masked() + ", for " + request.userId())
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, request.userId().value())
                        .build())
                .build();
    }

    static ChildWorkflowOptions exclusive(CloseRequest request) {
        return ChildWorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.exclusiveClose(request.userId(), request.account()))
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, request.userId().value())
                        .build())
                .build();
    }

    static ExponentialBackoff looks() {
        return new ExponentialBackoff(FIRST_LOOK, LONGEST_LOOK);
    }

    static ActivityOptions worker(UserId userId) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.controlOf(userId))
                .setScheduleToCloseTimeout(WORKER_CALL)
                .setHeartbeatTimeout(HEARTBEAT)
                .setRetryOptions(retries())
                .build();
    }

    static ActivityOptions unanswered() {
        return api(ACCOUNT_READ);
    }

    static ActivityOptions check() {
        return api(CHECK);
    }

    static ActivityOptions submission() {
        return api(ADMISSION);
    }

    private static ActivityOptions api(Duration within) {
        return ActivityOptions.newBuilder()
                .setScheduleToCloseTimeout(within)
                .setStartToCloseTimeout(API_CALL)
                .setRetryOptions(retries())
                .build();
    }

    private static RetryOptions retries() {
        return RetryOptions.newBuilder()
                .setInitialInterval(FIRST_RETRY)
                .setMaximumInterval(LONGEST_RETRY)
                .build();
    }

    /** A request for a worker that is lost is followed by the next one. */
    static LocalActivityOptions ensure() {
        return LocalActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(5))
                .setRetryOptions(RetryPolicies.ONCE)
                .build();
    }
}
