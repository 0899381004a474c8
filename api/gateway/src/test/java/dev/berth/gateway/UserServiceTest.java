package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.MessageCodec;
import dev.berth.temporal.codec.TestPayloadKeys;
import dev.berth.temporal.gateway.GatewayMessages.AccountReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.PublishRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMessages.RiskRequest;
import dev.berth.temporal.gateway.GatewayMessages.RunningOrdersRequest;
import dev.berth.temporal.gateway.GatewayMessages.SessionRefusedRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TestTemporal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.risk.OrderHold;
import io.grpc.Status.Code;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.History;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UserServiceTest {
    private static final ExecutionReport REPORT = OrderSamples.filled();
    private static final ReportedActivity ACTIVITY = new ReportedActivity("o-1", "", "", "", 0);

    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private static final TestTemporal TEMPORAL = GatewayFixture.temporal();
    private static final WorkflowClient DIRECT = WorkflowClient.newInstance(
            TEMPORAL.stubs(),
            TemporalClients.workflows(TemporalClients.NAMESPACE, TestPayloadKeys.CONVERTER)
                    .build());

    private GatewayFixture gateway;
    private TestTask alice;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, TEMPORAL.stubs());
        alice = gateway.userTask(ALICE, 7);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @AfterAll
    static void stopTemporal() {
        TEMPORAL.close();
    }

    /** A workflow without a worker: it only keeps its signals. */
    private static void startUnserved(String workflowId) {
        DIRECT.newUntypedWorkflowStub(
                        "Unserved",
                        WorkflowOptions.newBuilder()
                                .setWorkflowId(workflowId)
                                .setTaskQueue("unserved")
                                .build())
                .start();
    }

    private static List<String> signals(String workflowId) {
        History history = DIRECT.fetchHistory(workflowId).getHistory();
        return new MessageCodec(TestPayloadKeys.ALL)
                .decode(history).getEventsList().stream()
                        .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                        .map(event -> event.getWorkflowExecutionSignaledEventAttributes()
                                        .getSignalName()
                                + event
                                        .getWorkflowExecutionSignaledEventAttributes()
                                        .getInput()
                                        .getPayloadsList()
                                        .stream()
                                        .map(payload -> payload.getData().toStringUtf8())
                                        .toList())
                        .toList();
    }

    private static HeartbeatVerdict heartbeat(TestTask task) {
        return task.call(
                        GatewayMethods.RENEW_HEARTBEAT,
                        new HeartbeatRequest(ACTIVITY, "host", 12, "dev", Instant.EPOCH.toString()))
                .verdict();
    }

    @Test
    void heartbeatIsTheCallersOwn() {
        assertThat(heartbeat(alice)).isEqualTo(HeartbeatVerdict.EPOCH_LOST);
        redis.commands().set(RedisKeys.epoch(ALICE), "6");
        assertThat(heartbeat(alice)).isEqualTo(HeartbeatVerdict.EPOCH_OLDER);
        redis.commands().set(RedisKeys.epoch(ALICE), "7");
        assertThat(heartbeat(alice)).isEqualTo(HeartbeatVerdict.MINE);
        assertThat(redis.commands().hgetall(RedisKeys.metadata(ALICE)))
                .containsEntry("task_arn", alice.arn)
                .containsEntry("epoch", "7")
                .containsEntry("pid", "12")
                .containsEntry("current_order", "o-1");
        TestTask twin = gateway.userTask(ALICE, 7);
        assertThat(heartbeat(twin)).isEqualTo(HeartbeatVerdict.TAKEN);
        twin.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty());
        assertThat(redis.commands().get(RedisKeys.heartbeat(ALICE))).isEqualTo(alice.id());

        alice.call(GatewayMethods.UPDATE_HEARTBEAT, new ReportedActivity("o-2", "", "", "", 0));
        assertThat(redis.commands().hget(RedisKeys.metadata(ALICE), "current_order"))
                .isEqualTo("o-2");
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        assertThat(heartbeat(alice)).isEqualTo(HeartbeatVerdict.SUPERSEDED);
        alice.call(GatewayMethods.REMOVE_HEARTBEAT, new Empty());
        assertThat(redis.commands().exists(RedisKeys.heartbeat(ALICE))).isZero();
    }

    @Test
    void outageOfRedisIsUnavailable() throws Exception {
        redis.stop();
        try {
            assertThat(Refusing.statusOf(() -> heartbeat(alice)).getCode()).isEqualTo(Code.UNAVAILABLE);
        } finally {
            redis.restart();
        }
    }

    @Test
    void riskIsReadForTheOwnUser() {
        List<String> fields = alice.call(GatewayMethods.READ_RISK, new RiskRequest(OrderSamples.ACCOUNT, "AAPL"))
                .fields();
        assertThat(fields).hasSize(OrderHold.FIELDS);
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> alice.call(GatewayMethods.READ_RISK, new RiskRequest(OrderSamples.ACCOUNT, "a b")));
    }

    @Tag("X16")
    @DisplayName("A worker publishes and reports orders of its own user only")
    @Test
    void ordersOfOthersAreOutOfReach() {
        OrderState bobs = OrderState.accepted(order(BOB, "o-1", NOON));
        assertDenied(gateway, Refusal.USER, () -> alice.call(GatewayMethods.PUBLISH_ORDER, new PublishRequest(bobs)));

        startUnserved(WorkflowIds.order(ALICE, new ClientOrderId("o-1")));
        startUnserved(WorkflowIds.order(BOB, new ClientOrderId("o-1")));
        alice.call(GatewayMethods.REPORT, new ReportRequest(new ClientOrderId("o-1"), REPORT));
        assertThat(signals(WorkflowIds.order(ALICE, new ClientOrderId("o-1")))).hasSize(1);
        assertThat(signals(WorkflowIds.order(BOB, new ClientOrderId("o-1")))).isEmpty();
    }

    @Tag("T1")
    @DisplayName("A report is of the caller's own user and epoch, and never from the future")
    @Test
    void accountIsReportedForTheOwnUser() {
        Instant before = Instant.now();
        alice.call(GatewayMethods.REPORT_ACCOUNT, new AccountReportRequest(report(NOON)));
        alice.call(GatewayMethods.REPORT_ACCOUNT, new AccountReportRequest(report(before.plusSeconds(3_600))));
        String reported = RedisKeys.reportedAccount(ALICE, OrderSamples.ACCOUNT);
        assertThat(redis.commands().zrange(RedisKeys.REPORTED_ACCOUNTS, 0, -1)).containsExactly(reported);
        List<String> entries = redis.commands().lrange(RedisKeys.accountReports(reported), 0, -1);
        assertThat(entries).hasSize(2).allMatch(entry -> entry.startsWith("7 "));
        assertThat(entries)
                .extracting(entry ->
                        Json.read(entry.substring(2), AccountReport.class).asOf())
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(NOON),
                        second -> assertThat(second).isBetween(before, Instant.now()));
    }

    private static AccountReport report(Instant asOf) {
        return new AccountReport(OrderSamples.ACCOUNT, asOf, null, List.of(), null, List.of());
    }

    @Tag("X32")
    @DisplayName("Reports that nothing takes are bounded: the newest stay")
    @Test
    void reportsAreBounded() {
        for (int number = 0; number < 20; number++) {
            alice.call(GatewayMethods.REPORT_ACCOUNT, new AccountReportRequest(report(NOON.plusSeconds(number))));
        }
        String key = RedisKeys.accountReports(RedisKeys.reportedAccount(ALICE, OrderSamples.ACCOUNT));
        assertThat(redis.commands().lrange(key, 0, -1))
                .hasSize(16)
                .last()
                .asString()
                .contains("12:00:19Z");
        assertThat(redis.commands().pttl(key)).isPositive();
    }

    @Tag("T2")
    @DisplayName("A worker learns which of its own user's orders Berth follows")
    @Test
    void runningOrdersAreTheOwnUsers() {
        startUnserved(WorkflowIds.order(ALICE, new ClientOrderId("r-1")));
        startUnserved(WorkflowIds.order(BOB, new ClientOrderId("r-2")));
        assertThat(isAnyRunning("by-hand", "r-1")).isTrue();
        assertThat(isAnyRunning("by-hand", "r-2")).isFalse();
        DIRECT.newUntypedWorkflowStub(WorkflowIds.order(ALICE, new ClientOrderId("r-1")))
                .terminate("the test is over");
        assertThat(isAnyRunning("by-hand", "r-1")).isFalse();
    }

    private boolean isAnyRunning(String... ids) {
        List<ClientOrderId> asked = Stream.of(ids).map(ClientOrderId::new).toList();
        return alice.call(GatewayMethods.RUNNING_ORDERS, new RunningOrdersRequest(asked))
                .isAnyRunning();
    }

    @Test
    void lifecycleHearsTheCallersOwnTaskAndEpoch() {
        UserId carol = new UserId("carol");
        TestTask worker = gateway.userTask(carol, 5);
        assertThat(Refusing.statusOf(() -> worker.call(GatewayMethods.IDLE, new Empty()))
                        .getCode())
                .isEqualTo(Code.NOT_FOUND);
        startUnserved(WorkflowIds.worker(carol));
        worker.call(GatewayMethods.ATTACHED, new AttachedRequest("host", 12));
        worker.call(GatewayMethods.FOUND, new Empty());
        worker.call(GatewayMethods.IDLE, new Empty());
        worker.call(GatewayMethods.SESSION_REFUSED, new SessionRefusedRequest(OrderSamples.ACCOUNT));
        List<String> signals = signals(WorkflowIds.worker(carol));
        assertThat(signals).hasSize(4);
        assertThat(signals.get(0))
                .startsWith("attached")
                .contains("\"epoch\":5", worker.arn, Objects.requireNonNull(worker.sealingKey()));
        assertThat(signals.get(1)).startsWith("workerFound[5").contains(worker.arn);
        assertThat(signals.get(2)).isEqualTo("idle[5]");
        assertThat(signals.get(3)).startsWith("reloadCredentials").contains("alpaca");
    }

    @Tag("B4")
    @DisplayName("A fill of another application's order on the account starts nothing")
    @Test
    void foreignFillStartsNothing() {
        ClientOrderId foreign = new ClientOrderId("5f0c9a1e-by-hand");
        Execution execution = new Execution("e-1", 0, Decimal.of("1"), Decimal.of("100"), NOON, false);
        alice.call(GatewayMethods.REPORT, new ReportRequest(foreign, REPORT.withExecutions(List.of(execution))));
        assertThatThrownBy(() -> signals(WorkflowIds.lateReport(ALICE, foreign)))
                .hasMessageContaining("not found");
    }

    @Test
    void poolWorkerReportsNothing() {
        TestTask pool = gateway.poolTask();
        assertDenied(gateway, Refusal.STATE, () -> pool.call(GatewayMethods.FOUND, new Empty()));
        assertDenied(gateway, Refusal.STATE, () -> pool.call(GatewayMethods.IDLE, new Empty()));
        assertDenied(
                gateway,
                Refusal.STATE,
                () -> pool.call(GatewayMethods.REPORT, new ReportRequest(new ClientOrderId("o-1"), REPORT)));
    }

    @Tag("X31")
    @DisplayName("A message with a part that is out of range is refused before any workflow hears of it")
    @Test
    void messagesOutOfRangeAreRefused() {
        startUnserved(WorkflowIds.order(ALICE, new ClientOrderId("o-2")));
        ExecutionReport late = REPORT.withUpdatedAt(Instant.MAX);
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> alice.call(GatewayMethods.REPORT, new ReportRequest(new ClientOrderId("o-2"), late)));
        assertThat(signals(WorkflowIds.order(ALICE, new ClientOrderId("o-2")))).isEmpty();
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> alice.call(GatewayMethods.ATTACHED, new AttachedRequest("host", -1)));
    }

    @Test
    void largeMessagesAreRefused() {
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> alice.call(GatewayMethods.ATTACHED, new AttachedRequest("x".repeat(300_000), 1)));
    }
}
