package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.OrderHold;
import dev.berth.workflows.risk.RiskLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Suspensions and stops at the send gate. */
class SendGateHoldTest {
    private static final OrderRequest ORDER = market("o-1");

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private final ServerClock server = new ServerClock();

    private TestGateway gateway;
    private WorkerGatewayClient client;

    @BeforeEach
    void start() throws Exception {
        gateway = new TestGateway(redis);
        client = gateway.worker("task-1", ALICE, 7).client();
        server.observe(System.currentTimeMillis());
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private SendGate gate() {
        return new SendGate(() -> true, server, client);
    }

    private Optional<Cause> causeOf(OrderRequest order) throws InterruptedException {
        try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(SendGateTest.activity(false))) {
            return gate().objection(order, order.deadline(), heartbeat).map(Declined::cause);
        }
    }

    private static long looks() {
        return redis.commands()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval:"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst("cmdstat_eval:calls=(\\d+),.*", "$1")))
                .findFirst()
                .orElse(0);
    }

    /** While Redis stands still for so long. */
    private long looksOfAnOrder(Duration pause) throws InterruptedException {
        long before = looks();
        redis.commands().clientPause(pause.toMillis());
        assertThat(causeOf(ORDER)).isEmpty();
        return looks() - before;
    }

    @Tag("X33")
    @DisplayName("A look that took longer than it is valid is repeated before the order is sent")
    @Test
    void lateLookIsRepeated() throws Exception {
        Awaitility.await()
                .untilAsserted(() -> assertThat(looksOfAnOrder(Duration.ZERO))
                        .as("a quick look is enough")
                        .isEqualTo(1));
        Awaitility.await()
                .untilAsserted(() -> assertThat(looksOfAnOrder(OrderHold.LOOK_VALID.multipliedBy(4)))
                        .isEqualTo(2));
    }

    @Tag("X33")
    @DisplayName("Orders and replacements of a suspended user are held, and pass when the user is resumed")
    @Test
    void suspendedUserIsHeld() throws Exception {
        for (String name : List.of("alice", OrderHold.EVERYBODY)) {
            redis.hold("bob", name);
            assertThat(causeOf(ORDER)).as(name).contains(Cause.HELD);
            try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(SendGateTest.activity(false))) {
                ReplaceOrder replacement = new ReplaceOrder(ORDER, 0, 1, OrderTerms.of(ORDER), Decimal.ZERO);
                assertThat(gate().objection(replacement, heartbeat))
                        .hasValueSatisfying(declined -> assertThat(FailureCode.SUSPENDED.isOf(declined.reason()))
                                .isTrue());
            }
            redis.hold("bob");
            assertThat(causeOf(ORDER)).as(name).isEmpty();
        }
    }

    @Tag("T3")
    @DisplayName("An order from before a mass cancel is not sent, nor replaced; a later one, and others, pass")
    @Test
    void massCancelStopsEarlierOrders() throws Exception {
        Instant accepted = ORDER.submittedAt();
        redis.cancel(cancel(null, accepted.minusMillis(1)));
        assertThat(causeOf(ORDER)).as("accepted later").isEmpty();
        redis.cancel(cancel(ORDER.side() == Side.BUY ? Side.SELL : Side.BUY, accepted));
        assertThat(causeOf(ORDER)).as("another side").isEmpty();
        redis.cancel(cancel(ORDER.side(), accepted));
        assertThat(causeOf(ORDER)).contains(Cause.CANCELED);
        try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(SendGateTest.activity(false))) {
            ReplaceOrder replacement = new ReplaceOrder(ORDER, 0, 1, OrderTerms.of(ORDER), Decimal.ZERO);
            assertThat(gate().objection(replacement, heartbeat))
                    .hasValueSatisfying(declined -> assertThat(FailureCode.NOT_REPLACED.isOf(declined.reason()))
                            .isTrue());
        }
        redis.load(new KillSwitch(KillSwitch.Level.USER, "alice", true, "runaway", "olga", Instant.EPOCH));
        redis.cancel(cancel(null, accepted));
        assertThat(causeOf(ORDER)).as("canceled, and does not fail").contains(Cause.CANCELED);
    }

    private static MassCancel cancel(@Nullable Side side, Instant at) {
        return MassCancel.of("c-1", ALICE, ORDER.account(), ORDER.symbol(), side, at);
    }

    @Tag("X33")
    @DisplayName("A kill switch refuses an order of a suspended user; a limit does not, since the order waits")
    @Test
    void killSwitchCountsBeforeHold() throws Exception {
        RiskLimits limits = new RiskLimits(Decimal.of("1"), null, null, null);
        redis.commands().hset(RedisKeys.RISK_LIMITS, RedisKeys.riskLimits(ALICE, ORDER.account()), Json.write(limits));
        assertThat(causeOf(ORDER)).contains(Cause.RISK);
        redis.hold("alice");
        assertThat(causeOf(ORDER)).contains(Cause.HELD);
        redis.load(new KillSwitch(KillSwitch.Level.USER, "alice", true, "runaway", "olga", Instant.EPOCH));
        redis.hold("alice");
        assertThat(causeOf(ORDER)).contains(Cause.RISK);
    }

    @Tag("X33")
    @DisplayName("A worker whose epoch was stopped sends nothing; the next epoch does")
    @Test
    void stoppedEpochIsFenced() throws Exception {
        redis.commands().set(RedisKeys.stopped(ALICE), "7");
        assertThat(causeOf(ORDER)).contains(Cause.FENCED);
        client = gateway.worker("task-2", ALICE, 8).client();
        assertThat(causeOf(ORDER)).isEmpty();
    }

    @Tag("X33")
    @DisplayName("Holds that are missing or not whole hold every order")
    @Test
    void missingHoldsHoldOrders() throws Exception {
        redis.commands().del(RedisKeys.HOLDS);
        assertThat(causeOf(ORDER)).contains(Cause.HELD);
        redis.hold("alice");
        redis.commands().hdel(RedisKeys.HOLDS, "alice");
        assertThat(causeOf(ORDER)).contains(Cause.HELD);
    }
}
