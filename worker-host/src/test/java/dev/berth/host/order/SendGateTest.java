package dev.berth.host.order;

import static dev.berth.host.Samples.ALICE;
import static dev.berth.host.Samples.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.TestRedis;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.order.Terms;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.Quote;
import dev.berth.workflows.risk.RiskLimits;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendGateTest {
    private static final Instant HANDED_OUT = Instant.parse("2026-03-02T12:00:00Z");
    /** To be sent within 2 min; so old that the look of its admission counts no more. */
    private static final OrderRequest OLDER = submitted("o-1", HANDED_OUT.minusMillis(500));

    private static TestRedis redis;

    private volatile Duration passed = Duration.ZERO;
    private final ServerClock server = new ServerClock(() -> passed.toNanos());

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void aTaskCame() {
        server.heard(HANDED_OUT.toEpochMilli());
        redis.client().del(RedisKeys.KILL_SWITCH, RedisKeys.riskLimits(ALICE));
        redis.client().set(RedisKeys.FLEET_LOADED, "1");
    }

    private SendGate gate() {
        return new SendGate(() -> true, server, redis.client());
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
        KillSwitch on = new KillSwitch(level, which, true, "exchange is down", "olga", HANDED_OUT);
        redis.client().hset(RedisKeys.KILL_SWITCH, on.name(), Json.write(on));
    }

    private Optional<Cause> causeOf(OrderRequest order) throws InterruptedException {
        try (Heartbeat beating = Heartbeat.of(activity(false))) {
            return gate().objection(order, 1, beating).map(Declined::cause);
        }
    }

    @DisplayName("X1 the deadline is measured by the server's time and what has passed here, not by the host's clock")
    @Test
    void theDeadline() throws Exception {
        OrderRequest order = submitted("o-1", HANDED_OUT.minusSeconds(110));
        passed = Duration.ofMillis(9_999);
        assertThat(causeOf(order)).isEmpty();
        passed = Duration.ofSeconds(10);
        assertThat(causeOf(order)).contains(Cause.DEADLINE_PASSED);
    }

    @DisplayName("X2 no lease, no sending")
    @Test
    void theLease() throws Exception {
        try (Heartbeat beating = Heartbeat.of(activity(false))) {
            assertThat(new SendGate(() -> false, server, redis.client()).objection(OLDER, 1, beating))
                    .contains(new Declined(Cause.FENCED));
        }
    }

    @Test
    void aCancelThatAHeartbeatBrought() {
        try (Heartbeat beating = Heartbeat.of(activity(true))) {
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(gate().objection(OLDER, 1, beating)).contains(new Declined(Cause.CANCELED)));
        }
    }

    @DisplayName("X9 a switch that is on for the user or the broker refuses at the gate, and says why")
    @Test
    void killSwitch() throws Exception {
        switchOn(KillSwitch.Level.USER, "bob");
        assertThat(causeOf(OLDER)).isEmpty();
        switchOn(KillSwitch.Level.BROKER, "alpaca");
        try (Heartbeat beating = Heartbeat.of(activity(false))) {
            Declined said = gate().objection(OLDER, 1, beating).orElseThrow();
            assertThat(said.cause()).isEqualTo(Cause.RISK);
            assertThat(Objects.requireNonNull(said.reason()))
                    .asString()
                    .startsWith("risk: kill-switch: The kill switch for orders to broker alpaca is on");
        }
    }

    @DisplayName("X9 an order whose admission looked less than 500 ms ago needs no other look, unless its clock is odd")
    @Test
    void aFreshLook() throws Exception {
        switchOn(KillSwitch.Level.USER, "alice");
        assertThat(causeOf(submitted("o-1", HANDED_OUT.minusMillis(499)))).isEmpty();
        assertThat(causeOf(submitted("o-1", HANDED_OUT.minusMillis(500)))).contains(Cause.RISK);
        assertThat(causeOf(submitted("o-1", HANDED_OUT.plusMillis(50)))).contains(Cause.RISK);
    }

    @DisplayName("X10 limits are looked at again at the gate; other terms are judged by themselves")
    @Test
    void limits() throws Exception {
        RiskLimits limits = new RiskLimits(Decimal.of("10"), null, null, null);
        redis.client().hset(RedisKeys.riskLimits(ALICE), OLDER.account().toString(), Json.write(limits));
        assertThat(causeOf(OLDER)).isEmpty();
        assertThat(gate().riskOf(OLDER, new Terms(Decimal.of("11"), null, null)).map(Declined::cause))
                .contains(Cause.RISK);
        assertThat(gate().riskOf(OLDER, Terms.of(OLDER))).isEmpty();
    }

    @DisplayName(
            "X10 without the quote that a limit needs an order is held, and asks for it; it goes on when it is there")
    @Test
    void heldUntilPriced() throws Exception {
        RiskLimits limits = new RiskLimits(null, Decimal.of("1000000"), null, null);
        redis.client().hset(RedisKeys.riskLimits(ALICE), OLDER.account().toString(), Json.write(limits));
        redis.client().del(RedisKeys.QUOTES, RedisKeys.QUOTES_WANTED);
        assertThat(causeOf(OLDER)).contains(Cause.HELD);
        assertThat(redis.client().zrange(RedisKeys.QUOTES_WANTED, 0, -1)).containsExactly(OLDER.symbol());
        Quote quote = new Quote(Decimal.of("99"), Decimal.of("100"), Instant.now());
        redis.client().hset(RedisKeys.QUOTES, OLDER.symbol(), Json.write(quote));
        assertThat(causeOf(OLDER)).isEmpty();
    }

    @DisplayName("X9 while Redis has no copy of the switches an order is held; it goes on when they are loaded")
    @Test
    void heldUntilLoaded() throws Exception {
        redis.client().del(RedisKeys.FLEET_LOADED);
        assertThat(causeOf(OLDER)).contains(Cause.HELD);
        CompletableFuture<Optional<Cause>> held = CompletableFuture.supplyAsync(() -> {
            try {
                return causeOf(OLDER);
            } catch (InterruptedException hurry) {
                throw new IllegalStateException(hurry);
            }
        });
        redis.client().set(RedisKeys.FLEET_LOADED, "2");
        assertThat(held.get(5, TimeUnit.SECONDS)).isEmpty();
    }

    @DisplayName("X6 while Redis is away nothing passes the gate")
    @Test
    void redisAway() throws IOException, InterruptedException {
        redis.goAway();
        try {
            assertThat(causeOf(OLDER)).contains(Cause.HELD);
            assertThat(gate().riskOf(OLDER, Terms.of(OLDER)).map(Declined::cause))
                    .contains(Cause.HELD);
        } finally {
            redis.comeBack();
        }
    }
}
