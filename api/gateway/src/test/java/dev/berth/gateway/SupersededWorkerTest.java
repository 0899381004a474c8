package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.gateway.FixJournalMessages.AppendFixMessageRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixAccountRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixExecutionsRequest;
import dev.berth.temporal.gateway.FixJournalMessages.FixReceivedRequest;
import dev.berth.temporal.gateway.GatewayMessages.AccountReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.CertificateRequest;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.PublishRequest;
import dev.berth.temporal.gateway.GatewayMessages.RemoteCallRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMessages.RiskRequest;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersRequest;
import dev.berth.temporal.gateway.GatewayMessages.SessionRefusedRequest;
import dev.berth.temporal.gateway.GatewayMessages.SpanRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.temporal.gateway.OrderIntentMessages.ClaimsQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentOutcomeRequest;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentQuery;
import dev.berth.temporal.gateway.OrderIntentMessages.IntentRequest;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.remote.RemoteMethod;
import io.grpc.MethodDescriptor;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SupersededWorkerTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;
    private TestTask worker;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
        worker = gateway.userTask(ALICE, 7);
    }

    @AfterEach
    void stop() {
        gateway.close();
        temporal.close();
    }

    private void poll() {
        worker.call(
                WorkflowServiceGrpc.getPollActivityTaskQueueMethod(),
                PollActivityTaskQueueRequest.newBuilder()
                        .setNamespace(TemporalClients.NAMESPACE)
                        .setTaskQueue(TaskQueue.newBuilder().setName(TaskQueues.ordersOf(ALICE)))
                        .build());
    }

    private void renew() {
        String next = worker.call(GatewayMethods.RENEW_CERTIFICATE, new CertificateRequest(worker.publicKey()))
                .certificate();
        assertThat(next).contains("CERTIFICATE");
    }

    @Tag("X16")
    @DisplayName("A worker whose user has a newer one gets no task and no further certificate")
    @Test
    void getsNoTaskAndNoCertificate() {
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        assertDenied(gateway, Refusal.SUPERSEDED, this::poll);
        assertDenied(gateway, Refusal.SUPERSEDED, this::renew);
        assertThat(temporal.polls).isEmpty();
    }

    @Tag("X16")
    @DisplayName("A superseded worker signals, reads and publishes nothing, by none of the gateway's own methods")
    @Test
    void everyOwnMethodIsRefused() {
        Map<String, ThrowingCallable> calls = ownMethods();
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        calls.forEach((_, call) -> assertDenied(gateway, Refusal.SUPERSEDED, call));
        assertThat(redis.commands().keys("order:answer:*")).isEmpty();
        assertThat(redis.commands().keys("account:*")).isEmpty();
        assertThat(gateway.exported.all()).isEmpty();

        redis.commands().set(RedisKeys.epoch(ALICE), "7");
        gateway.refused.clear();
        calls.forEach((name, call) -> {
            Throwable end = catchThrowable(call);
            assertThat(gateway.refused).as(name + ": " + end).isEmpty();
        });
        Set<String> allowed = Set.of(
                "Enrol",
                "RenewCertificate",
                "AwaitClaim",
                "RenewHeartbeat",
                "RemoveHeartbeat",
                "RenewIdle",
                "LeaveIdle",
                "WarmUp",
                "PrepareTraining");
        assertThat(Stream.concat(calls.keySet().stream(), allowed.stream()))
                .as("every method is either refused here, or has a rule of its own")
                .containsExactlyInAnyOrderElementsOf(ownMethodNames());
    }

    private Map<String, ThrowingCallable> ownMethods() {
        TraceContext span = TraceContext.start(true);
        Map<String, ThrowingCallable> calls = new HashMap<>(Map.of(
                "UpdateHeartbeat", own(GatewayMethods.UPDATE_HEARTBEAT, new ReportedActivity("", "", "", "", 0)),
                "ReadRisk", own(GatewayMethods.READ_RISK, new RiskRequest(OrderSamples.ACCOUNT, "AAPL")),
                "PublishOrder",
                        own(
                                GatewayMethods.PUBLISH_ORDER,
                                new PublishRequest(OrderState.accepted(order(ALICE, "o-1", NOON)))),
                "Attached", own(GatewayMethods.ATTACHED, new AttachedRequest("host", 1)),
                "Found", own(GatewayMethods.FOUND, new Empty()),
                "Idle", own(GatewayMethods.IDLE, new Empty()),
                "SessionRefused", own(GatewayMethods.SESSION_REFUSED, new SessionRefusedRequest(OrderSamples.ACCOUNT)),
                "Report",
                        own(GatewayMethods.REPORT, new ReportRequest(new ClientOrderId("o-1"), OrderSamples.filled())),
                "RecordSpan",
                        own(
                                GatewayMethods.RECORD_SPAN,
                                new SpanRequest(span.child(), span, "send", false, NOON, NOON, false)),
                "CallRemote",
                        own(
                                GatewayMethods.CALL_REMOTE,
                                new RemoteCallRequest(
                                        "7-aaaaaaaa",
                                        RemoteMethod.SEND,
                                        AccountKey.parse("remote/equity/paper/home"),
                                        "o-1",
                                        1,
                                        null,
                                        1,
                                        Json.tree("{}")))));
        AccountReport report = new AccountReport(OrderSamples.ACCOUNT, NOON, null, null, null, List.of());
        calls.put("ReportAccount", own(GatewayMethods.REPORT_ACCOUNT, new AccountReportRequest(report)));
        AccountKey fix = AccountKey.parse("fix/equity/paper/paper");
        calls.put("OpenFixJournal", own(GatewayMethods.OPEN_FIX_JOURNAL, new FixAccountRequest(fix)));
        calls.put(
                "AppendFixMessage", own(GatewayMethods.APPEND_FIX_MESSAGE, new AppendFixMessageRequest(fix, 1, null)));
        calls.put(
                "CountFixReceived", own(GatewayMethods.COUNT_FIX_RECEIVED, new FixReceivedRequest(fix, 2, List.of())));
        calls.put("ResetFixJournal", own(GatewayMethods.RESET_FIX_JOURNAL, new FixAccountRequest(fix)));
        calls.put("ReadFixExecutions", own(GatewayMethods.READ_FIX_EXECUTIONS, new FixExecutionsRequest(fix, "o-1")));
        OrderTerms terms = new OrderTerms(Decimal.of("10"), null, null);
        calls.put(
                "RecordIntent",
                own(GatewayMethods.RECORD_INTENT, new IntentRequest(fix, "o-1", "AAPL", Side.BUY, terms)));
        calls.put("CloseIntent", own(GatewayMethods.CLOSE_INTENT, new IntentOutcomeRequest("o-1", null)));
        calls.put("ReadIntent", own(GatewayMethods.READ_INTENT, new IntentQuery("o-1")));
        calls.put("ReadClaims", own(GatewayMethods.READ_CLAIMS, new ClaimsQuery(fix, List.of("v-1"))));
        calls.put("ReadFixWorkingOrders", own(GatewayMethods.READ_FIX_WORKING_ORDERS, new FixAccountRequest(fix)));
        calls.put("RunningOrders", own(GatewayMethods.RUNNING_ORDERS, new RunningOrdersRequest(List.of())));
        return calls;
    }

    private <Q, A> ThrowingCallable own(MethodDescriptor<Q, A> method, Q request) {
        return () -> worker.call(method, request);
    }

    private static Set<String> ownMethodNames() {
        return Arrays.stream(GatewayMethods.class.getFields())
                .filter(field -> field.getType() == MethodDescriptor.class)
                .map(SupersededWorkerTest::nameOf)
                .collect(Collectors.toSet());
    }

    private static String nameOf(Field method) {
        try {
            return String.valueOf(((MethodDescriptor<?, ?>) method.get(null)).getBareMethodName());
        } catch (IllegalAccessException isPublic) {
            throw new IllegalStateException(isPublic);
        }
    }

    @Test
    void goesOnWhileItIsTheNewestAndWhenRedisLostTheEpoch() {
        redis.commands().set(RedisKeys.epoch(ALICE), "7");
        renew();
        redis.commands().flushall();
        renew();
        assertThat(gateway.refused).isEmpty();
    }
}
