package dev.berth.workflows.masscancel;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.RetryPolicies;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import io.temporal.workflow.ChildWorkflowOptions;
import java.time.Duration;

/** Every time-out and retry policy of a mass cancel, with its reason. */
public final class MassCancelPolicies {
    /**
     * A worker starts within two minutes, and a broker's request limit is free again after one.
     */
    public static final Duration LONGEST = Duration.ofMinutes(5);

    /** A client that names no time waits so long: a worker that runs takes a second. */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

    /**
     * The stream reports canceled orders within milliseconds; what it did not report after this
     * time is canceled one by one, which tells how it stands.
     */
    static final Duration REPORTED = Duration.ofSeconds(2);

    /** How many users' cancels a fleet's request runs at once. */
    static final int USERS_AT_ONCE = 500;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** A round has at most 500 requests to the venue, and some may wait for the request limit. */
    private static final Duration ROUND = Duration.ofMinutes(2);

    private static final Duration HEARTBEAT = Duration.ofSeconds(3);
    /** A worker that starts takes its tasks within this time; then one is asked for again. */
    private static final Duration TAKEN = Duration.ofSeconds(10);

    private MassCancelPolicies() {}

    static Duration pause(int round) {
        return ExponentialBackoff.pause(FIRST_PAUSE, LONGEST_PAUSE, round);
    }

    /** One attempt: between two rounds the workflow asks for a worker that is missing. */
    static ActivityOptions atVenue(UserId userId) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.controlOf(userId))
                .setScheduleToStartTimeout(TAKEN)
                .setStartToCloseTimeout(ROUND)
                .setHeartbeatTimeout(HEARTBEAT)
                .setRetryOptions(RetryPolicies.ONCE)
                .setSummary("cancel at the venue")
                .build();
    }

    /** In any process that has the API. */
    static ActivityOptions records() {
        return ActivityOptions.newBuilder()
                .setTaskQueue(TaskQueues.ORDERS)
                .setStartToCloseTimeout(Duration.ofSeconds(30))
                .setRetryOptions(RetryPolicies.untilItSucceeds(Duration.ofMillis(200), LONGEST_PAUSE))
                .build();
    }

    /** The same, for what is requested again in the next round. */
    static ActivityOptions requests() {
        return ActivityOptions.newBuilder(records())
                .setScheduleToCloseTimeout(Duration.ofSeconds(30))
                .build();
    }

    /** No request had this id before. */
    public static WorkflowOptions start(UserId userId, String id) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.massCancel(userId, id))
                .setTaskQueue(TaskQueues.ORDERS)
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
                .setTypedSearchAttributes(of(userId))
                .setStaticSummary("cancel of " + userId + "'s orders")
                .build();
    }

    /** The same, of what a kill switch stops. */
    public static WorkflowOptions start(String id) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.fleetMassCancel(id))
                .setTaskQueue(TaskQueues.ORDERS)
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
                .setStaticSummary("cancel of the orders that a kill switch stops")
                .build();
    }

    /** A user's part goes on when the whole is ended by hand. */
    static ChildWorkflowOptions child(UserId userId, String id) {
        return ChildWorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.massCancel(userId, id))
                .setTaskQueue(TaskQueues.ORDERS)
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
                .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON)
                .setTypedSearchAttributes(of(userId))
                .build();
    }

    private static SearchAttributes of(UserId userId) {
        return SearchAttributes.newBuilder()
                .set(BerthSearchAttributes.USER_ID, userId.value())
                .build();
    }
}
