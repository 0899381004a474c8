package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.HostileCalls.Attempt;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMessages.BindRequest;
import dev.berth.temporal.gateway.GatewayMessages.Empty;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.PublishRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.gateway.GatewayMessages.WarmUpRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A hostile process with all that a worker has, and a victim who trades meanwhile. Every attempt on
 * the victim is refused and counted, and the victim is unharmed.
 */
@ExtendWith(StackExtension.class)
class HostileWorkerTest {
    private static final List<Status.Code> REFUSED =
            List.of(Status.Code.PERMISSION_DENIED, Status.Code.UNAUTHENTICATED, Status.Code.NOT_FOUND);

    private final Stack stack;
    private final RedisKeyspace redis;
    private Trader victim;
    private UserId victimId;
    private JsonNode victimsWorker;
    private Map<String, String> environment;

    HostileWorkerTest(Stack stack) {
        this.stack = stack;
        this.redis = RedisKeyspace.of(stack);
    }

    @BeforeEach
    void startVictim(TestInfo test) throws Exception {
        String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        victim = Eventually.trading(stack, "victim-" + name);
        victimId = new UserId(victim.user());
        victim.submit(OrderBody.limit("rests", "AAPL", "buy", "1", "50"), 20);
        victimsWorker = Eventually.activeWorker(victim, 1, Duration.ofSeconds(20));
        environment = Processes.environment(victimsWorker.path("pid").asLong());
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A worker's environment leads to the gateway alone, and its enrolment secret is dead")
    void environmentLeadsToGatewayAlone() throws Exception {
        List<Map<String, String>> environments = new ArrayList<>(List.of(environment));
        for (String task : Eventually.fullPool(redis)) {
            environments.add(Processes.environment(Processes.ofTask(task)));
        }
        for (Map<String, String> worker : environments) {
            assertThat(worker.keySet()).noneMatch(name -> name.contains("REDIS") || name.contains("TEMPORAL"));
            assertThat(worker.values())
                    .noneMatch(value -> value.contains(":" + stack.port("REDIS", 16379)))
                    .noneMatch(value -> value.contains(":" + stack.port("TEMPORAL", 7233)))
                    .noneMatch(value -> value.contains(":" + stack.port("POSTGRES", 15432)));
        }
        try (HostileTask thief = HostileTask.unknown(environment)) {
            String arn = victimsWorker.path("taskArn").asText();
            StatusRuntimeException dead = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> thief.enrol(environment.getOrDefault("BERTH_ENROLMENT_SECRET", ""), arn));
            assertThat(dead.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
            assertRefused(new HostileCalls(thief.withoutCertificate(), victimId, order()).all());
        }
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A hostile worker of one user reads and changes nothing of another")
    void workerOfOtherUserIsRefused() throws Exception {
        try (HostileTask hostile = HostileTask.launched(stack, environment, "hostile-user:1")) {
            List<Attempt> attempts = new ArrayList<>(new HostileCalls(hostile.channel(), victimId, order()).all());
            Channel own = hostile.channel();
            attempts.add(own("publish another's order", own, GatewayMethods.PUBLISH_ORDER, publish()));
            attempts.add(own("bind to another user", own, GatewayMethods.BIND, bind()));
            attempts.add(own("list itself as idle", own, GatewayMethods.RENEW_IDLE, new Empty()));
            attempts.add(own("start activities", own, GatewayMethods.WARM_UP, warmUp()));
            attempts.add(own("prepare a training", own, GatewayMethods.PREPARE_TRAINING, new Empty()));
            Channel unassigned = hostile.channel(null);
            attempts.add(own("renew without assignment", unassigned, GatewayMethods.RENEW_HEARTBEAT, heartbeat()));
            Channel forged = hostile.channel("v1." + victim.user() + ".forged");
            attempts.add(own("renew by a forged assignment", forged, GatewayMethods.RENEW_HEARTBEAT, heartbeat()));
            assertRefused(attempts);
        }
        assertVictimIsUnharmed();
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A hostile pool worker reads and changes nothing of any user")
    void idlePoolWorkerIsRefused() throws Exception {
        try (HostileTask idle = HostileTask.launched(stack, environment, "-1");
                HostileTask other = HostileTask.launched(stack, environment, "hostile-other:1")) {
            List<Attempt> attempts = new ArrayList<>(new HostileCalls(idle.channel(), victimId, order()).all());
            Channel own = idle.channel();
            attempts.add(own("bind without a reservation", own, GatewayMethods.BIND, bind()));
            attempts.add(own("publish another's order", own, GatewayMethods.PUBLISH_ORDER, publish()));
            attempts.add(own("say that it was found", own, GatewayMethods.FOUND, new Empty()));
            attempts.add(own("say that it is idle", own, GatewayMethods.IDLE, new Empty()));
            Channel stolen = idle.channel(other.assignment());
            attempts.add(own("renew by another's assignment", stolen, GatewayMethods.RENEW_HEARTBEAT, heartbeat()));
            attempts.add(own("say so by another's", stolen, GatewayMethods.ATTACHED, attached()));
            assertRefused(attempts);
        }
        assertVictimIsUnharmed();
    }

    private String order() {
        return "order:" + victim.user() + ":rests";
    }

    private BindRequest bind() {
        return new BindRequest(victimId, victimsWorker.path("epoch").asLong(), heartbeat());
    }

    private static HeartbeatRequest heartbeat() {
        return new HeartbeatRequest(new ReportedActivity("", "", "", ""), "hostile", 1, "", "");
    }

    private static AttachedRequest attached() {
        return new AttachedRequest("hostile", 1, "a key of its own");
    }

    private static WarmUpRequest warmUp() {
        return new WarmUpRequest("attach", List.of());
    }

    private PublishRequest publish() {
        return new PublishRequest(OrderState.accepted(new OrderRequest(
                victimId,
                new ClientOrderId("rests"),
                new AccountKey("alpaca", "equity", Environment.PAPER, "paper"),
                "AAPL",
                Side.BUY,
                OrderType.MARKET,
                Decimal.of("1"),
                null,
                null,
                TimeInForce.DAY,
                3,
                Duration.ofMinutes(2),
                Instant.now())));
    }

    private static <Q, A> Attempt own(String what, Channel channel, MethodDescriptor<Q, A> method, Q request) {
        return new Attempt(
                what,
                () -> ClientCalls.blockingUnaryCall(
                        channel, method, CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS), request));
    }

    /** Each is refused with a clear status, and counted. */
    private void assertRefused(List<Attempt> attempts) throws Exception {
        double before = refused();
        for (Attempt attempt : attempts) {
            StatusRuntimeException refused = catchThrowableOfType(
                    StatusRuntimeException.class, () -> attempt.call().run());
            assertThat(refused).as(attempt.what()).isNotNull();
            assertThat(REFUSED)
                    .as("%s: %s", attempt.what(), refused.getMessage())
                    .contains(refused.getStatus().getCode());
        }
        assertThat(refused() - before).as("counted").isGreaterThanOrEqualTo(attempts.size());
    }

    private double refused() throws Exception {
        RestClient gateway = new RestClient(URI.create("http://127.0.0.1:" + stack.port("METRICS", 17234)));
        return PrometheusMetrics.sum(gateway, "berth_gateway_refused_total");
    }

    private void assertVictimIsUnharmed() throws Exception {
        JsonNode worker = victim.worker();
        assertThat(worker.path("state").asText()).isEqualTo("ACTIVE");
        assertThat(worker.path("epoch")).isEqualTo(victimsWorker.path("epoch"));
        assertThat(worker.path("pid")).isEqualTo(victimsWorker.path("pid"));
        assertThat(redis.get("worker:active:" + victim.user())).isEqualTo(EcsApi.idOf(victimsWorker));
        assertThat(victim.order("rests").path("status").asText()).isEqualTo("NEW");
        assertThat(victim.get("/v1/orders/forged").status()).isEqualTo(404);
        Eventually.filled(victim, "after");
        new BerthCommand(stack).done("verify --user " + victim.user());
    }
}
