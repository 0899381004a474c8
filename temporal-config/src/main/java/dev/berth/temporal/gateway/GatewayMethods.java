package dev.berth.temporal.gateway;

import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixAccountRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixExecutionsAnswer;
import dev.berth.temporal.gateway.FixJournalMessages.FixExecutionsRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixWorkingOrdersAnswer;
import dev.berth.temporal.gateway.GatewayMessages.AccountReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.CertificateAnswer;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMessages.ClaimAnswer;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.EnrolAnswer;
import dev.berth.temporal.gateway.GatewayMessages.EnrolRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatAnswer;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.IdleAnswer;
import dev.berth.temporal.gateway.GatewayMessages.PublishRequest;
import dev.berth.temporal.gateway.GatewayMessages.RemoteCallRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMessages.RiskAnswer;
import dev.berth.temporal.gateway.GatewayMessages.RiskRequest;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersAnswer;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersRequest;
import dev.berth.temporal.gateway.GatewayMessages.SessionRefusedRequest;
import dev.berth.temporal.gateway.GatewayMessages.SpanRequest;
import dev.berth.temporal.gateway.GatewayMessages.WarmUpRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.Claims;
import dev.berth.temporal.gateway.OrderIntentMessages.ClaimsQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentAnswer;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentOutcomeRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.KnownIntent;
import dev.berth.workflows.remote.RemoteAnswer;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The gateway's own service. Statuses: {@code UNAVAILABLE} when Redis or Temporal does not answer,
 * {@code UNAUTHENTICATED} without a valid certificate, {@code PERMISSION_DENIED},
 * {@code INVALID_ARGUMENT}, {@code RESOURCE_EXHAUSTED} for what exceeds a task's share, which had
 * no effect and may be repeated later.
 *
 * <p>A worker whose user has a newer one is refused all but {@link #RENEW_HEARTBEAT}, which says
 * so, and what ends its own heartbeat.
 *
 * <p>A pool worker without an assignment acts as the user of its warm-up ({@link #warmUpUser}) with
 * epoch 0 where a method needs a user.
 */
public final class GatewayMethods {
    public static final String SERVICE = "berth.WorkerGateway";

    /** Filled by the constants below; before them, since they are made in their order. */
    private static final List<MethodDescriptor<?, ?>> DECLARED = new ArrayList<>();

    /** Activities that {@link #WARM_UP} starts. */
    public static final Set<String> WARM_UP_ACTIVITIES = Set.of("attach", "openSession", "findOrder");

    /**
     * Needs no certificate. {@code NOT_FOUND}: the secret is unknown, used or expired, or not yet
     * recorded; a task that has just started repeats the call for up to 30 s.
     */
    public static final MethodDescriptor<EnrolRequest, EnrolAnswer> ENROL =
            unary("Enrol", EnrolRequest.class, EnrolAnswer.class);

    /**
     * The next certificate of this task. {@code PERMISSION_DENIED}: ECS stopped the task, the user
     * has a newer worker, or the task has a user and does not show its assignment.
     */
    public static final MethodDescriptor<CertificateRequest, CertificateAnswer> RENEW_CERTIFICATE =
            unary("RenewCertificate", CertificateRequest.class, CertificateAnswer.class);

    /**
     * Lists an idle pool worker as {@link #RENEW_IDLE} does, and waits: for the claim that this
     * task is reserved for, at most 50 s; then the worker calls again. A claim gives the task its
     * user, once in its life, and renews as {@link #RENEW_HEARTBEAT} does. A second call of a task
     * ends the first, without a claim. {@code PERMISSION_DENIED} once the task has a user.
     */
    public static final MethodDescriptor<HeartbeatRequest, ClaimAnswer> AWAIT_CLAIM =
            unary("AwaitClaim", HeartbeatRequest.class, ClaimAnswer.class);

    /** Sets or extends the user's heartbeat key. */
    public static final MethodDescriptor<HeartbeatRequest, HeartbeatAnswer> RENEW_HEARTBEAT =
            unary("RenewHeartbeat", HeartbeatRequest.class, HeartbeatAnswer.class);

    /** Updates the metadata; no effect when the key is gone or another task holds it. */
    public static final MethodDescriptor<ReportedActivity, Empty> UPDATE_HEARTBEAT =
            unary("UpdateHeartbeat", ReportedActivity.class, Empty.class);

    /** Removes the key; no effect when it is gone or another task holds it. */
    public static final MethodDescriptor<Empty, Empty> REMOVE_HEARTBEAT =
            unary("RemoveHeartbeat", Empty.class, Empty.class);

    /** Lists an idle pool worker, or extends its key; no effect once the task has a user. */
    public static final MethodDescriptor<Empty, IdleAnswer> RENEW_IDLE =
            unary("RenewIdle", Empty.class, IdleAnswer.class);

    /** Leaves the pool. */
    public static final MethodDescriptor<Empty, Empty> LEAVE_IDLE = unary("LeaveIdle", Empty.class, Empty.class);

    public static final MethodDescriptor<RiskRequest, RiskAnswer> READ_RISK =
            unary("ReadRisk", RiskRequest.class, RiskAnswer.class);

    /** Publishes the state of an order of the own user to subscribers. */
    public static final MethodDescriptor<PublishRequest, Empty> PUBLISH_ORDER =
            unary("PublishOrder", PublishRequest.class, Empty.class);

    /**
     * {@code NOT_FOUND} when the user's lifecycle does not run; {@code PERMISSION_DENIED} when the
     * task enrolled without a sealing key.
     */
    public static final MethodDescriptor<AttachedRequest, Empty> ATTACHED =
            unary("Attached", AttachedRequest.class, Empty.class);

    /** Restarts a lifecycle that was terminated. */
    public static final MethodDescriptor<Empty, Empty> FOUND = unary("Found", Empty.class, Empty.class);

    /** {@code NOT_FOUND} when the user's lifecycle does not run. */
    public static final MethodDescriptor<Empty, Empty> IDLE = unary("Idle", Empty.class, Empty.class);

    /** {@code NOT_FOUND} when the user's lifecycle does not run. */
    public static final MethodDescriptor<SessionRefusedRequest, Empty> SESSION_REFUSED =
            unary("SessionRefused", SessionRefusedRequest.class, Empty.class);

    /** Signals the order's workflow or, when that has ended, the one for late reports. */
    public static final MethodDescriptor<ReportRequest, Empty> REPORT =
            unary("Report", ReportRequest.class, Empty.class);

    /** Hands a report of an account of the own user on to the read model. */
    public static final MethodDescriptor<AccountReportRequest, Empty> REPORT_ACCOUNT =
            unary("ReportAccount", AccountReportRequest.class, Empty.class);

    /** Tells orders of the own user from those that other applications made. */
    public static final MethodDescriptor<RunningOrdersRequest, RunningOrdersAnswer> RUNNING_ORDERS =
            unary("RunningOrders", RunningOrdersRequest.class, RunningOrdersAnswer.class);

    /** Exports a span, if the gateway exports any. */
    public static final MethodDescriptor<SpanRequest, Empty> RECORD_SPAN =
            unary("RecordSpan", SpanRequest.class, Empty.class);

    /**
     * Calls the machine that serves one of the user's accounts with the broker {@code remote}.
     * Every end that the call itself can have is an answer.
     */
    public static final MethodDescriptor<RemoteCallRequest, RemoteAnswer> CALL_REMOTE =
            unary("CallRemote", RemoteCallRequest.class, RemoteAnswer.class);

    /**
     * Begins to write the journal of a FIX session: from now on only this epoch or a later one
     * writes it. {@code PERMISSION_DENIED}, here and below, when a later one does.
     */
    public static final MethodDescriptor<FixAccountRequest, FixNumbers> OPEN_FIX_JOURNAL =
            unary("OpenFixJournal", FixAccountRequest.class, FixNumbers.class);

    /**
     * Stores a message before it is written. {@code INVALID_ARGUMENT} when its number is not the
     * next one.
     */
    public static final MethodDescriptor<AppendFixMessageRequest, Empty> APPEND_FIX_MESSAGE =
            unary("AppendFixMessage", AppendFixMessageRequest.class, Empty.class);

    /** Counts messages of the counterparty; no effect on a number that counts already. */
    public static final MethodDescriptor<FixReceivedRequest, Empty> COUNT_FIX_RECEIVED =
            unary("CountFixReceived", FixReceivedRequest.class, Empty.class);

    /** Both numbers are 1 again. */
    public static final MethodDescriptor<FixAccountRequest, Empty> RESET_FIX_JOURNAL =
            unary("ResetFixJournal", FixAccountRequest.class, Empty.class);

    /**
     * Stores that an order is about to be written to a broker that would take it a second time,
     * unless another one of the same account, symbol and side is in doubt.
     */
    public static final MethodDescriptor<IntentRequest, IntentAnswer> RECORD_INTENT =
            unary("RecordIntent", IntentRequest.class, IntentAnswer.class);

    /** Stores the broker's id of it, or that nothing was written. */
    public static final MethodDescriptor<IntentOutcomeRequest, Empty> CLOSE_INTENT =
            unary("CloseIntent", IntentOutcomeRequest.class, Empty.class);

    /** Whether it may have been written. */
    public static final MethodDescriptor<IntentQuery, KnownIntent> READ_INTENT =
            unary("ReadIntent", IntentQuery.class, KnownIntent.class);

    /** Which orders of an account have these ids at the broker. */
    public static final MethodDescriptor<ClaimsQuery, Claims> READ_CLAIMS =
            unary("ReadClaims", ClaimsQuery.class, Claims.class);

    public static final MethodDescriptor<FixExecutionsRequest, FixExecutionsAnswer> READ_FIX_EXECUTIONS =
            unary("ReadFixExecutions", FixExecutionsRequest.class, FixExecutionsAnswer.class);

    public static final MethodDescriptor<FixAccountRequest, FixWorkingOrdersAnswer> READ_FIX_WORKING_ORDERS =
            unary("ReadFixWorkingOrders", FixAccountRequest.class, FixWorkingOrdersAnswer.class);

    /** Returns when the activity has ended, or after 5 s; only before the task has a user. */
    public static final MethodDescriptor<WarmUpRequest, Empty> WARM_UP =
            unary("WarmUp", WarmUpRequest.class, Empty.class);

    /**
     * Lets a warm-up reach its end, for the training of a class archive. Refused unless the gateway
     * allows training.
     */
    public static final MethodDescriptor<Empty, Empty> PREPARE_TRAINING =
            unary("PrepareTraining", Empty.class, Empty.class);

    private GatewayMethods() {}

    /** Every method of the service. */
    public static List<MethodDescriptor<?, ?>> all() {
        return List.copyOf(DECLARED);
    }

    /** The user whose queues a pool worker polls before it has one. */
    public static String warmUpUser(String taskId) {
        return "warm-up-" + taskId;
    }

    private static <Q, A> MethodDescriptor<Q, A> unary(String name, Class<Q> request, Class<A> answer) {
        MethodDescriptor<Q, A> method = MethodDescriptor.<Q, A>newBuilder()
                .setType(MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(new JsonMarshaller<>(request))
                .setResponseMarshaller(new JsonMarshaller<>(answer))
                .build();
        DECLARED.add(method);
        return method;
    }
}
