package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.Quote;
import dev.berth.workflows.risk.RiskLimits;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SendGateTest {
    private static final Instant STARTED = Instant.parse("2026-03-02T12:00:00Z");
    /** With a deadline 2 min after its submission. */
    private static final OrderRequest OLDER = order(ALICE, "o-1", STARTED.minusMillis(500));

    @RegisterExtension
    private static final HostTestRedis redis = new HostTestRedis();

    private volatile Duration passed = Duration.ZERO;
    private final ServerClock server = new ServerClock(() -> passed.toNanos(), () -> passed.toMillis());

    private TestGateway gateway;
    private WorkerGatewayClient client;

    @BeforeEach
    void observeTask() throws Exception {
        gateway = new TestGateway(redis);
        client = gateway.worker("task-1", ALICE, 7).client();
        server.observe(STARTED.toEpochMilli());
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private SendGate gate() {
        return new SendGate(() -> true, server, client);
    }

    static ActivityExecutionContext activity(boolean canceled) {
        return (ActivityExecutionContext) Proxy.newProxyInstance(
                SendGateTest.class.getClassLoader(), new Class<?>[] {ActivityExecutionContext.class}, (_, _, _) -> {
                    if (canceled) {
                        throw new ActivityCanceledException();
                    }
                    return null;
                });
    }

    private static void switchOn(KillSwitch.Level level, String which) {
        redis.load(new KillSwitch(level, which, true, "exchange is down", "olga", STARTED));
    }

    private static void limit(RiskLimits limits) {
        redis.commands().hset(RedisKeys.RISK_LIMITS, RedisKeys.riskLimits(ALICE, OLDER.account()), Json.write(limits));
    }

    private Optional<Cause> causeOf(OrderRequest order) throws InterruptedException {
        try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(activity(false))) {
            return gate().objection(order, order.deadline(), heartbeat).map(Declined::cause);
        }
    }

    @Tag("X1")
    @DisplayName("The deadline counts by the server's clock")
    @Test
    void deadlineCountsByServerClock() throws Exception {
        OrderRequest order = order(ALICE, "o-1", STARTED.minusSeconds(110));
        passed = Duration.ofMillis(9_999);
        assertThat(causeOf(order)).isEmpty();
        passed = Duration.ofSeconds(10);
        assertThat(causeOf(order)).contains(Cause.DEADLINE_PASSED);
    }

    @Tag("X2")
    @DisplayName("Nothing is sent without a lease")
    @Test
    void objectsWithoutLease() throws Exception {
        try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(activity(false))) {
            assertThat(new SendGate(() -> false, server, client).objection(OLDER, OLDER.deadline(), heartbeat))
                    .contains(new Declined(Cause.FENCED));
        }
    }

    @Test
    void objectsAfterCancellation() {
        try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(activity(true))) {
            Awaitility.await()
                    .untilAsserted(() -> assertThat(gate().objection(OLDER, OLDER.deadline(), heartbeat))
                            .contains(new Declined(Cause.CANCELED)));
        }
    }

    @Tag("T3")
    @DisplayName("An order that closes a position for a caller who may set kill switches passes them, and no limit")
    @Test
    void closePassesKillSwitch() throws Exception {
        switchOn(KillSwitch.Level.BROKER, "alpaca");
        assertThat(causeOf(OLDER)).contains(Cause.RISK);
        assertThat(causeOf(OLDER.passingKillSwitches())).isEmpty();
        limit(new RiskLimits(Decimal.of("1"), null, null, null));
        assertThat(causeOf(OLDER.passingKillSwitches())).contains(Cause.RISK);
    }

    @Tag("X9")
    @DisplayName("A kill switch refuses at the gate with its reason")
    @Test
    void killSwitchRefuses() throws Exception {
        switchOn(KillSwitch.Level.USER, "bob");
        assertThat(causeOf(OLDER)).isEmpty();
        switchOn(KillSwitch.Level.BROKER, "alpaca");
        try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(activity(false))) {
            Declined declined =
                    gate().objection(OLDER, OLDER.deadline(), heartbeat).orElseThrow();
            assertThat(declined.cause()).isEqualTo(Cause.RISK);
            assertThat(Objects.requireNonNull(declined.reason()))
                    .asString()
                    .startsWith("risk: kill-switch: The kill switch for orders to broker alpaca is on");
        }
    }

    @Tag("X9")
    @DisplayName("A recent order is checked like any other")
    @Test
    void recentOrderIsChecked() throws Exception {
        switchOn(KillSwitch.Level.USER, "alice");
        assertThat(causeOf(order(ALICE, "o-1", STARTED))).contains(Cause.RISK);
        assertThat(causeOf(order(ALICE, "o-1", STARTED.plusSeconds(1)))).contains(Cause.RISK);
    }

    @Tag("X10")
    @DisplayName("The gate checks the limits with the given terms")
    @Test
    void checksLimits() throws Exception {
        RiskLimits limits = new RiskLimits(Decimal.of("10"), null, null, null);
        limit(limits);
        assertThat(causeOf(OLDER)).isEmpty();
        assertThat(gate().riskObjection(OLDER, new OrderTerms(Decimal.of("11"), null, null))
                        .map(Declined::cause))
                .contains(Cause.RISK);
        assertThat(gate().riskObjection(OLDER, OrderTerms.of(OLDER))).isEmpty();
    }

    @Tag("X10")
    @DisplayName("An order is held until the quote that its limit needs exists")
    @Test
    void heldUntilQuoted() throws Exception {
        RiskLimits limits = new RiskLimits(null, Decimal.of("1000000"), null, null);
        limit(limits);
        redis.commands().del(RedisKeys.QUOTES, RedisKeys.QUOTES_WANTED);
        assertThat(causeOf(OLDER)).contains(Cause.HELD);
        assertThat(redis.commands().zrange(RedisKeys.QUOTES_WANTED, 0, -1)).containsExactly(OLDER.symbol());
        Quote quote = new Quote(Decimal.of("99"), Decimal.of("100"), Instant.now());
        redis.commands().hset(RedisKeys.QUOTES, OLDER.symbol(), Json.write(quote));
        assertThat(causeOf(OLDER)).isEmpty();
    }

    @Tag("X9")
    @DisplayName("An order is held until the switches are loaded")
    @Test
    void heldUntilLoaded() throws Exception {
        redis.commands().del(RedisKeys.FLEET_LOADED);
        assertThat(causeOf(OLDER)).contains(Cause.HELD);
        CompletableFuture<Optional<Cause>> held = CompletableFuture.supplyAsync(() -> {
            try {
                return causeOf(OLDER);
            } catch (InterruptedException hurry) {
                throw new IllegalStateException(hurry);
            }
        });
        redis.load();
        assertThat(held.get(5, TimeUnit.SECONDS)).isEmpty();
    }

    @Tag("X9")
    @DisplayName("A copy that does not match its sentinel holds every order")
    @Test
    void changedCopyHoldsOrders() throws Exception {
        switchOn(KillSwitch.Level.USER, "alice");
        String sentinel = redis.commands().get(RedisKeys.FLEET_LOADED);
        redis.commands().hdel(RedisKeys.KILL_SWITCH, "user:alice");
        for (String forged : List.of(sentinel, "1", "999999999999", "999999999999 " + "0".repeat(40), "?")) {
            redis.commands().set(RedisKeys.FLEET_LOADED, forged);
            assertThat(causeOf(OLDER)).as(forged).contains(Cause.HELD);
        }
        redis.load();
        redis.commands().hset(RedisKeys.RISK_LIMITS, RedisKeys.riskLimits(ALICE, OLDER.account()), "none");
        assertThat(causeOf(OLDER)).as("limits that cannot be read").contains(Cause.HELD);
    }

    @Tag("X6")
    @DisplayName("Nothing passes the gate while Redis is down")
    @Test
    void holdsWhileRedisIsDown() throws IOException, InterruptedException {
        redis.stop();
        try {
            assertThat(causeOf(OLDER)).contains(Cause.HELD);
            assertThat(gate().riskObjection(OLDER, OrderTerms.of(OLDER)).map(Declined::cause))
                    .contains(Cause.HELD);
        } finally {
            redis.restart();
        }
    }
}
