package dev.berth.host.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixAccountRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixExecutionsRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixNumbers;
import dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest;
import dev.berth.temporal.gateway.GatewayMessages.AccountReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.Claim;
import dev.berth.temporal.gateway.GatewayMessages.ClaimAnswer;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.PublishRequest;
import dev.berth.temporal.gateway.GatewayMessages.RemoteCallRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMessages.RiskRequest;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersRequest;
import dev.berth.temporal.gateway.GatewayMessages.SessionRefusedRequest;
import dev.berth.temporal.gateway.GatewayMessages.SpanRequest;
import dev.berth.temporal.gateway.GatewayMessages.WarmUpRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.temporal.gateway.OrderIntentMessages.Claims;
import dev.berth.temporal.gateway.OrderIntentMessages.ClaimsQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentAnswer;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentOutcomeRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.KnownIntent;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.remote.RemoteAnswer;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the gateway's own service. Every method throws {@link StatusRuntimeException}:
 * {@code UNAVAILABLE} or {@code DEADLINE_EXCEEDED} when the gateway, or a server behind it,
 * does not answer,
 * {@code PERMISSION_DENIED} when the gateway refuses.
 */
public final class WorkerGatewayClient {
    /** A few such calls fit into a lease; the gateway itself waits less for Redis. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** Signals wait for a reconnect and for Temporal. */
    private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(20);

    /** Longer than the gateway lets a worker wait. */
    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(60);

    private static final Empty EMPTY = new Empty();

    private final Channel channel;
    private final AssignmentHeader assignment;
    private final Runnable reconnect;

    /** @param reconnect connects at once when the connection is lost; else no effect */
    WorkerGatewayClient(Channel channel, AssignmentHeader assignment, Runnable reconnect) {
        this.channel = channel;
        this.assignment = assignment;
        this.reconnect = reconnect;
    }

    /**
     * Waits about a minute for the claim of this pool worker, in the current context: to cancel
     * that ends the wait. A claim gives this process its user.
     *
     * @throws StatusRuntimeException {@code PERMISSION_DENIED} when this task has a user; else it
     *     may have one from now on, which the next call tells
     */
    public ClaimAnswer awaitClaim(HeartbeatRequest heartbeat) {
        CallOptions options = options(CLAIM_TIMEOUT).withWaitForReady();
        ClaimAnswer answer = ClientCalls.blockingUnaryCall(channel, GatewayMethods.AWAIT_CLAIM, options, heartbeat);
        if (answer.claim() != null) {
            assignment.set(answer.claim().assignment());
        }
        return answer;
    }

    /** Loads what the answer of {@link #awaitClaim} needs. */
    public static void warmUpClaim(UserId userId) {
        Claim claim = new Claim(userId, 0, "", HeartbeatVerdict.MINE);
        GatewayMethods.AWAIT_CLAIM.parseResponse(
                GatewayMethods.AWAIT_CLAIM.streamResponse(new ClaimAnswer(false, claim)));
    }

    /** Sets or extends the user's heartbeat key. */
    public HeartbeatVerdict renewHeartbeat(HeartbeatRequest request) {
        return call(GatewayMethods.RENEW_HEARTBEAT, request).verdict();
    }

    /** Updates the metadata. No effect when the key is gone or another task holds it. */
    public void updateHeartbeat(ReportedActivity activity) {
        call(GatewayMethods.UPDATE_HEARTBEAT, activity);
    }

    /** Removes the key. No effect when the key is gone or another task holds it. */
    public void removeHeartbeat() {
        call(GatewayMethods.REMOVE_HEARTBEAT, EMPTY);
    }

    /** Lists this idle worker; true when the pool has retired it. */
    public boolean renewIdle() {
        return call(GatewayMethods.RENEW_IDLE, EMPTY).retired();
    }

    public void leaveIdle() {
        call(GatewayMethods.LEAVE_IDLE, EMPTY);
    }

    /** What {@link dev.berth.workflows.risk.OrderHold#of} reads. */
    public List<String> readRisk(OrderRequest order) {
        return call(GatewayMethods.READ_RISK, new RiskRequest(order.account(), order.symbol()))
                .fields();
    }

    /** Publishes the state of an order to subscribers. */
    public void publish(OrderState state) {
        call(GatewayMethods.PUBLISH_ORDER, new PublishRequest(state));
    }

    /** Tells the lifecycle that this process serves the user from now on. */
    public void attached(String host, long pid) {
        signal(GatewayMethods.ATTACHED, new AttachedRequest(host, pid));
    }

    /** Tells the lifecycle that this process lives. Restarts one that was terminated. */
    public void found() {
        signal(GatewayMethods.FOUND, EMPTY);
    }

    /** Tells the lifecycle that this worker is idle. */
    public void idle() {
        signal(GatewayMethods.IDLE, EMPTY);
    }

    /** Tells the lifecycle that the broker rejects the account's credentials. */
    public void sessionRefused(AccountKey account) {
        signal(GatewayMethods.SESSION_REFUSED, new SessionRefusedRequest(account));
    }

    /** Signals the order's workflow or, when that has ended, the one for late reports. */
    public void report(ClientOrderId id, ExecutionReport report) {
        signal(GatewayMethods.REPORT, new ReportRequest(id, report));
    }

    /** Reports an account of the user. */
    public void reportAccount(AccountReport report) {
        call(GatewayMethods.REPORT_ACCOUNT, new AccountReportRequest(report));
    }

    /** Whether one of these orders of the user has a workflow that runs. */
    public boolean isAnyRunning(List<ClientOrderId> ids) {
        CallOptions options = options(SIGNAL_TIMEOUT).withWaitForReady();
        return ClientCalls.blockingUnaryCall(
                        channel, GatewayMethods.RUNNING_ORDERS, options, new RunningOrdersRequest(ids))
                .isAnyRunning();
    }

    /** Sends a span in the background, once: without it nothing but a trace is incomplete. */
    public void recordSpan(SpanRequest span) {
        var _ = ClientCalls.futureUnaryCall(channel.newCall(GatewayMethods.RECORD_SPAN, options(TIMEOUT)), span);
    }

    /**
     * Calls the user's own machine.
     *
     * @throws StatusRuntimeException also when the gateway was lost while it waited: the call may
     *     have had an effect
     */
    public RemoteAnswer callRemote(RemoteCallRequest request) {
        Duration timeout = Duration.ofMillis(request.answerWithinMillis()).plus(TIMEOUT);
        return ClientCalls.blockingUnaryCall(channel, GatewayMethods.CALL_REMOTE, options(timeout), request);
    }

    /** Stores that an order is about to be written, unless another one is in doubt. */
    public IntentAnswer recordIntent(IntentRequest request) {
        return call(GatewayMethods.RECORD_INTENT, request);
    }

    /**
     * Stores what became of it.
     *
     * @param venueOrderId the broker's id; null when nothing was written
     */
    public void closeIntent(String clientOrderId, @Nullable String venueOrderId) {
        call(GatewayMethods.CLOSE_INTENT, new IntentOutcomeRequest(clientOrderId, venueOrderId));
    }

    /** What may have been written of an order. */
    public KnownIntent readIntent(String clientOrderId) {
        return call(GatewayMethods.READ_INTENT, new IntentQuery(clientOrderId));
    }

    /** Which orders of the account have these ids at the broker. */
    public Claims readClaims(ClaimsQuery query) {
        return call(GatewayMethods.READ_CLAIMS, query);
    }

    /** From now on only this epoch, or a later one, writes the journal of the FIX session. */
    public FixNumbers openFixJournal(AccountKey account) {
        return call(GatewayMethods.OPEN_FIX_JOURNAL, new FixAccountRequest(account));
    }

    /** Stores a message before it is written. */
    public Empty appendFixMessage(AppendFixMessageRequest message) {
        return call(GatewayMethods.APPEND_FIX_MESSAGE, message);
    }

    /** Counts messages of the counterparty. */
    public Empty countFixReceived(FixReceivedRequest request) {
        return call(GatewayMethods.COUNT_FIX_RECEIVED, request);
    }

    /** Both numbers are 1 again. */
    public Empty resetFixJournal(AccountKey account) {
        return call(GatewayMethods.RESET_FIX_JOURNAL, new FixAccountRequest(account));
    }

    /** Of one version of an order; a busted one says so. */
    public List<Execution> fixExecutions(AccountKey account, String clientOrderId) {
        return call(GatewayMethods.READ_FIX_EXECUTIONS, new FixExecutionsRequest(account, clientOrderId))
                .executions();
    }

    /** By what counted. */
    public List<String> fixWorkingOrders(AccountKey account) {
        return call(GatewayMethods.READ_FIX_WORKING_ORDERS, new FixAccountRequest(account))
                .clientOrderIds();
    }

    /** Runs an activity on the warm-up queue of this pool worker. */
    public void warmUp(String activity, Object... arguments) {
        List<JsonNode> json = Stream.of(arguments)
                .map(argument -> Json.tree(Json.write(argument)))
                .toList();
        signal(GatewayMethods.WARM_UP, new WarmUpRequest(activity, json));
    }

    /** Lets the warm-up of a training run reach its end. */
    public void prepareTraining() {
        signal(GatewayMethods.PREPARE_TRAINING, EMPTY);
    }

    private <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
        try {
            return ClientCalls.blockingUnaryCall(channel, method, options(TIMEOUT), request);
        } catch (StatusRuntimeException failed) {
            // By itself gRPC pauses up to two minutes between attempts; a lease lasts 25 s.
            reconnect.run();
            throw failed;
        }
    }

    private <Q, A> void signal(MethodDescriptor<Q, A> method, Q request) {
        ClientCalls.blockingUnaryCall(channel, method, options(SIGNAL_TIMEOUT).withWaitForReady(), request);
    }

    private static CallOptions options(Duration timeout) {
        return CallOptions.DEFAULT.withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
}
