package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMethods;
import io.grpc.MethodDescriptor;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Methods that share a quota, and how many calls of them one task may make at one gateway. The
 * measure is a worker that sends 30 orders a second, five times what a busy one does; each kind
 * allows several times of that. A kind of its own keeps what is vital, the lease, apart from what
 * is frequent.
 */
enum CallKind {
    /** One for each task of the two queues. */
    POLL(150, 300, GatewayLimits.PARKED_POLLS_PER_TASK),
    /** The result of each task, and heartbeats of those that run. */
    ACTIVITY(300, 600, 64),
    /** Every 5 s; every 0.5 s while Redis is unavailable; one that waits for a claim. */
    LEASE(20, 100, 16),
    /** Two for each order, one after the other. */
    METADATA(200, 400, 8),
    /** One for each order; every 0.1 s while Redis is unavailable. */
    RISK(200, 400, 64),
    /** One for each answer of a broker. */
    PUBLISH(150, 300, 64),
    /** A few for each order; a worker delivers 16 at once, also those that waited for Temporal. */
    REPORT(200, 1_000, 32),
    /** One a second for each account while it trades. */
    ACCOUNT(5, 30, 8),
    /** When a worker may be idle: up to 20 calls of Temporal each. */
    ORIGIN(1, 30, 1),
    /** To the lifecycle: a few at the start, then one every 5 s. */
    SIGNAL(5, 30, 16),
    /** A few for each order that is traced. */
    SPAN(500, 1_000, 64),
    /** A few in the life of a pool worker. */
    WARM_UP(2, 10, 4),
    /** Every half an hour; every 10 s while it fails. */
    CERTIFICATE(1, 10, 4),
    /** One order and four questions at a time. */
    REMOTE(100, 200, 64),
    /** Two for each order, and one for each report; heartbeats of the sessions. */
    FIX(200, 400, 32),
    /** Two for each order, or one for a question, at a broker that would take an order twice. */
    INTENT(200, 400, 32),
    /** At the start of the SDK, and every minute. Also every method that no worker may call. */
    OTHER(50, 500, 16);

    private static final Map<String, CallKind> BY_METHOD = new HashMap<>();

    static {
        POLL.methods(List.of(WorkflowServiceGrpc.getPollActivityTaskQueueMethod()));
        ACTIVITY.methods(List.of(
                WorkflowServiceGrpc.getRespondActivityTaskCompletedMethod(),
                WorkflowServiceGrpc.getRespondActivityTaskFailedMethod(),
                WorkflowServiceGrpc.getRecordActivityTaskHeartbeatMethod()));
        LEASE.methods(List.of(
                GatewayMethods.AWAIT_CLAIM,
                GatewayMethods.RENEW_HEARTBEAT,
                GatewayMethods.REMOVE_HEARTBEAT,
                GatewayMethods.RENEW_IDLE,
                GatewayMethods.LEAVE_IDLE));
        METADATA.methods(List.of(GatewayMethods.UPDATE_HEARTBEAT));
        RISK.methods(List.of(GatewayMethods.READ_RISK));
        PUBLISH.methods(List.of(GatewayMethods.PUBLISH_ORDER));
        REPORT.methods(List.of(GatewayMethods.REPORT));
        ACCOUNT.methods(List.of(GatewayMethods.REPORT_ACCOUNT));
        ORIGIN.methods(List.of(GatewayMethods.RUNNING_ORDERS));
        SIGNAL.methods(List.of(
                GatewayMethods.ATTACHED, GatewayMethods.FOUND, GatewayMethods.IDLE, GatewayMethods.SESSION_REFUSED));
        SPAN.methods(List.of(GatewayMethods.RECORD_SPAN));
        WARM_UP.methods(List.of(GatewayMethods.WARM_UP, GatewayMethods.PREPARE_TRAINING));
        CERTIFICATE.methods(List.of(GatewayMethods.ENROL, GatewayMethods.RENEW_CERTIFICATE));
        REMOTE.methods(List.of(GatewayMethods.CALL_REMOTE));
        FIX.methods(List.of(
                GatewayMethods.OPEN_FIX_JOURNAL,
                GatewayMethods.APPEND_FIX_MESSAGE,
                GatewayMethods.COUNT_FIX_RECEIVED,
                GatewayMethods.RESET_FIX_JOURNAL,
                GatewayMethods.READ_FIX_EXECUTIONS,
                GatewayMethods.READ_FIX_WORKING_ORDERS));
        INTENT.methods(List.of(
                GatewayMethods.RECORD_INTENT,
                GatewayMethods.CLOSE_INTENT,
                GatewayMethods.READ_INTENT,
                GatewayMethods.READ_CLAIMS));
    }

    private final int perSecond;
    private final int burst;
    private final int atOnce;

    CallKind(int perSecond, int burst, int atOnce) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.atOnce = atOnce;
    }

    private void methods(List<MethodDescriptor<?, ?>> methods) {
        methods.forEach(method -> BY_METHOD.put(method.getFullMethodName(), this));
    }

    /** The kind of a method; {@link #OTHER} for one that has none of its own. */
    static CallKind of(String method) {
        return BY_METHOD.getOrDefault(method, OTHER);
    }

    int perSecond() {
        return perSecond;
    }

    int burst() {
        return burst;
    }

    /** Calls whose answer the task does not have yet. */
    int atOnce() {
        return atOnce;
    }
}
