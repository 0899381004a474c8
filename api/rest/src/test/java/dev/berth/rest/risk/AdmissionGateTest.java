package dev.berth.rest.risk;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.ActiveOrders.ActiveOrder;
import dev.berth.activities.worker.RedisAvailabilityNotices;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.Quote;
import dev.berth.workflows.risk.RiskLimits;
import dev.berth.workflows.risk.RiskSentinel;
import dev.berth.workflows.worker.WorkerAvailability;
import io.lettuce.core.api.StatefulRedisConnection;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AdmissionGateTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private static final AdmissionGate gate = gate(new AdmissionLimits(3, 2, 0, 1));
    private static final ActiveOrders active = new ActiveOrders(redis.commands());

    @BeforeEach
    void loaded() {
        redis.commands()
                .set(RedisKeys.FLEET_LOADED, RiskSentinel.of(1, Map.of()).toString());
    }

    private static AdmissionGate gate(AdmissionLimits limits) {
        return new AdmissionGate(redis.client().connect(), limits);
    }

    private static AdmissionDecision admit(UserId userId, String id) throws Exception {
        return gate.admit(order(userId, id, NOON));
    }

    private static ActiveOrder of(UserId userId, String id) {
        return new ActiveOrder(userId, new ClientOrderId(id));
    }

    private static void limit(RiskLimits limits) {
        redis.commands().hset(RedisKeys.RISK_LIMITS, RedisKeys.riskLimits(ALICE, ACCOUNT), Json.write(limits));
    }

    @Test
    @Tag("E9")
    @DisplayName("An order counts once, however often it is submitted; its user's worker is looked " + "for meanwhile")
    void repeatedOrderCountsOnce() throws Exception {
        assertThat(admit(ALICE, "o-1")).isEqualTo(new AdmissionDecision.Admitted(true, false, 1));
        redis.commands().set(RedisKeys.heartbeat(ALICE), "task-1");
        assertThat(admit(ALICE, "o-1")).isEqualTo(new AdmissionDecision.Admitted(false, true, 1));
        assertThat(active.count()).isEqualTo(1);
    }

    @Test
    @Tag("E9")
    @DisplayName(
            "Over the ceiling of a user or of all nothing is let in, but what is in passes; a " + "release makes room")
    void fullCeilingAdmitsNoNewOrder() throws Exception {
        admit(ALICE, "o-1");
        admit(ALICE, "o-2");
        assertThat(admit(ALICE, "o-3"))
                .isEqualTo(new AdmissionDecision.Full(new AdmissionDecision.Drain(0, 0, 10), 2, true));
        assertThat(admit(BOB, "o-1")).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(admit(BOB, "o-2"))
                .isEqualTo(new AdmissionDecision.Full(new AdmissionDecision.Drain(0, 0, 10), 3, false));
        assertThat(admit(ALICE, "o-2")).isEqualTo(new AdmissionDecision.Admitted(false, false, 3));
        active.release(of(ALICE, "o-1"));
        active.release(of(ALICE, "o-1"));
        assertThat(admit(BOB, "o-2")).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(admit(BOB, "o-3"))
                .isEqualTo(new AdmissionDecision.Full(new AdmissionDecision.Drain(1, 1, 10), 3, true));
    }

    @Test
    @Tag("X23")
    @DisplayName("The last places are kept for users with few orders; a small system keeps none")
    void lastPlacesServeUsersWithFewOrders() throws Exception {
        AdmissionGate reserving = gate(new AdmissionLimits(6, 4, 2, 2));
        for (int order = 1; order <= 4; order++) {
            assertThat(reserving.admit(order(ALICE, "o-" + order, NOON)))
                    .isInstanceOf(AdmissionDecision.Admitted.class);
        }
        assertThat(reserving.admit(order(BOB, "o-1", NOON))).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(reserving.admit(order(BOB, "o-2", NOON))).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(reserving.admit(order(new UserId("carol"), "o-1", NOON))).isInstanceOf(AdmissionDecision.Full.class);
        active.release(of(ALICE, "o-1"));
        assertThat(reserving.admit(order(ALICE, "o-5", NOON)))
                .as("five of six places are taken, the last is in the reserve")
                .isInstanceOf(AdmissionDecision.Full.class);
        assertThat(reserving.admit(order(new UserId("carol"), "o-1", NOON)))
                .isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(new AdmissionLimits(15, 64, 256, 8).beforeReserve()).isEqualTo(15);
        assertThat(new AdmissionLimits(1024, 64, 256, 8).beforeReserve()).isEqualTo(768);
    }

    @Test
    @Tag("X23")
    @DisplayName("Orders of a user whose worker is suspended or failed wait, and take no place of other users")
    void waitingUserTakesNoPlaces() throws Exception {
        admit(ALICE, "o-1");
        availability(new WorkerAvailability(true, Map.of()));
        assertThat(active.count()).isZero();
        assertThat(admit(ALICE, "o-2")).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(admit(ALICE, "o-2")).isEqualTo(new AdmissionDecision.Admitted(false, false, 0));
        assertThat(admit(ALICE, "o-3")).isInstanceOf(AdmissionDecision.Full.class);
        assertThat(active.count()).isZero();
        assertThat(active.has(of(ALICE, "o-2"))).isTrue();
        assertThat(active.add(of(ALICE, "o-4"), NOON)).isTrue();
        assertThat(active.count()).isZero();
        availability(new WorkerAvailability(false, Map.of()));
        assertThat(active.count()).isEqualTo(3);
        active.release(of(ALICE, "o-4"));
        assertThat(active.count()).isEqualTo(2);
    }

    @Test
    @Tag("E12")
    @DisplayName("An order of an account whose credentials are refused is not let in, and told why")
    void refusedAccountAdmitsNoOrder() throws Exception {
        availability(new WorkerAvailability(true, Map.of(ACCOUNT.toString(), "wrong key")));
        assertThat(admit(ALICE, "o-1"))
                .isInstanceOfSatisfying(
                        AdmissionDecision.Objected.class,
                        objected -> assertThat(objected.reason().toString())
                                .startsWith("broker: credentials-refused: ")
                                .contains("wrong key"));
        assertThat(active.has(of(ALICE, "o-1"))).isFalse();
        assertThat(admit(BOB, "o-1")).isInstanceOf(AdmissionDecision.Admitted.class);
    }

    private static void availability(WorkerAvailability availability) {
        try (TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance()) {
            new RedisAvailabilityNotices(redis.commands(), temporal.getWorkflowClient()).publish(ALICE, availability);
        }
    }

    @Test
    @Tag("E9")
    @DisplayName(
            "An order that Redis counts too late, when its client was refused already, is not " + "counted for long")
    void countedTooLate() throws Exception {
        StatefulRedisConnection<String, String> connection = redis.client().connect();
        AdmissionGate late = new AdmissionGate(connection, new AdmissionLimits(3, 2, 0, 1));
        redis.commands().clientPause(4_000);
        assertThatThrownBy(() -> late.admit(order(ALICE, "o-1", NOON)))
                .isInstanceOfAny(TimeoutException.class, ExecutionException.class);
        // Whatever was sent before it has been run by then.
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> connection.sync().ping().equals("PONG"));
        assertThat(active.count()).isZero();
    }

    @Test
    @Tag("X7")
    @DisplayName("An order that was never started is no drain")
    void withdrawnOrderIsNoDrain() throws Exception {
        admit(ALICE, "o-1");
        active.withdraw(of(ALICE, "o-1"));
        assertThat(redis.commands().keys("orders:*")).isEmpty();
    }

    @Test
    @Tag("X10")
    @DisplayName("As many orders at once as the rate allows a second, then one by one")
    void rateLimitsAfterBurst() throws Exception {
        AdmissionGate wide = gate(new AdmissionLimits(100, 100, 0, 1));
        limit(new RiskLimits(null, null, null, 2));
        String rateOfAlice =
                RedisKeys.orderRate(ALICE, order(ALICE, "o-1", NOON).account());
        Instant first = redisTime();
        assertThat(wide.admit(order(ALICE, "o-1", NOON))).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(wide.admit(order(ALICE, "o-2", NOON))).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(Long.parseLong(redis.commands().get(rateOfAlice)))
                .as("two orders take up a second")
                .isGreaterThanOrEqualTo(first.plusSeconds(1).getEpochSecond() * 1_000_000);
        // As if many more had come in the same moment: the next is on time in 100 s, and one may be
        // early.
        Instant before = redisTime();
        Instant due = before.plusSeconds(100);
        redis.commands().set(rateOfAlice, Long.toString(due.getEpochSecond() * 1_000_000));
        AdmissionDecision third = wide.admit(order(ALICE, "o-3", NOON));
        Duration half = Duration.ofMillis(500);
        assertThat(third)
                .isInstanceOfSatisfying(
                        AdmissionDecision.TooFast.class,
                        fast -> assertThat(fast.early())
                                .isBetween(
                                        Duration.between(redisTime(), due)
                                                .minus(half)
                                                .minusSeconds(1),
                                        Duration.between(before, due).minus(half)));
        assertThat(wide.admit(order(ALICE, "o-1", NOON))).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(wide.admit(order(BOB, "o-1", NOON))).isInstanceOf(AdmissionDecision.Admitted.class);
        redis.commands().del(rateOfAlice);
        assertThat(wide.admit(order(ALICE, "o-3", NOON))).isInstanceOf(AdmissionDecision.Admitted.class);
    }

    private static Instant redisTime() {
        List<String> time = redis.commands().time();
        return Instant.ofEpochSecond(Long.parseLong(time.getFirst()), Long.parseLong(time.getLast()) * 1_000);
    }

    @Test
    @Tag("X9")
    @DisplayName("A switch that is on refuses before anything is counted")
    void killSwitchRefusesBeforeCounting() throws Exception {
        KillSwitch on = new KillSwitch(KillSwitch.Level.USER, "alice", true, "asked for it", "olga", NOON);
        Map<String, String> switches = Map.of(on.name(), Json.write(on));
        redis.commands().hset(RedisKeys.KILL_SWITCH, switches);
        redis.commands()
                .set(RedisKeys.FLEET_LOADED, RiskSentinel.of(2, switches).toString());
        assertThat(admit(ALICE, "o-1")).isInstanceOfSatisfying(AdmissionDecision.Objected.class, said -> {
            assertThat(said.reason()).asString().startsWith("risk: kill-switch: ");
            assertThat(said.counted()).isFalse();
        });
        assertThat(active.count()).isZero();
        assertThat(admit(BOB, "o-1")).isInstanceOf(AdmissionDecision.Admitted.class);
    }

    @Test
    @Tag("T3")
    @DisplayName("An order that passes kill switches is counted, and limits refuse it; a look counts nothing")
    void closePassesKillSwitch() throws Exception {
        KillSwitch on = new KillSwitch(KillSwitch.Level.ALL, null, true, "asked for it", "olga", NOON);
        Map<String, String> switches = Map.of(on.name(), Json.write(on));
        redis.commands().hset(RedisKeys.KILL_SWITCH, switches);
        redis.commands()
                .set(RedisKeys.FLEET_LOADED, RiskSentinel.of(2, switches).toString());
        RiskLook look = new RiskLook(redis.commands());
        OrderRequest plain = order(ALICE, "o-1", NOON);
        assertThat(look.objection(plain))
                .hasValueSatisfying(
                        why -> assertThat(FailureCode.KILL_SWITCH.isOf(why)).isTrue());
        assertThat(look.objection(plain.passingKillSwitches())).isEmpty();
        assertThat(active.count()).isZero();
        assertThat(gate.admit(plain.passingKillSwitches())).isEqualTo(new AdmissionDecision.Admitted(true, false, 1));
        limit(new RiskLimits(Decimal.of("1"), null, null, null));
        assertThat(look.objection(plain.passingKillSwitches()))
                .hasValueSatisfying(
                        why -> assertThat(FailureCode.RISK_LIMIT.isOf(why)).isTrue());
        assertThat(gate.admit(order(ALICE, "o-2", NOON).passingKillSwitches()))
                .isInstanceOf(AdmissionDecision.Objected.class);
    }

    @Test
    @Tag("X10")
    @DisplayName("Limits and quote are those of the very moment in which the order is counted")
    void limitsAndQuote() throws Exception {
        limit(new RiskLimits(null, Decimal.of("1000"), null, null));
        assertThat(admit(ALICE, "o-1"))
                .isInstanceOfSatisfying(
                        AdmissionDecision.Objected.class,
                        said -> assertThat(said.reason()).asString().contains("The price of AAPL is not known now"));
        RedisQuotes quotes = new RedisQuotes(redis.commands(), Set.of("SPY"));
        quotes.store(Map.of("AAPL", new Quote(Decimal.of("99"), Decimal.of("100"), quotes.now())));
        assertThat(admit(ALICE, "o-2")).isInstanceOf(AdmissionDecision.Admitted.class);
        assertThat(quotes.wanted()).isEmpty();
        redis.commands().set(RedisKeys.QUOTES_NEEDED, "1");
        assertThat(quotes.wanted()).containsExactlyInAnyOrder("AAPL", "SPY");
        assertThat(quotes.isMyTurn()).isTrue();
        assertThat(quotes.isMyTurn()).isFalse();
    }

    @Test
    @Tag("X6")
    @DisplayName("Without the sentinel no order is admitted, since Redis lost the switches and limits")
    void missingSentinelAdmitsNoOrder() throws Exception {
        redis.commands().del(RedisKeys.FLEET_LOADED);
        assertThat(admit(ALICE, "o-1")).isEqualTo(new AdmissionDecision.NotLoaded());
        assertThat(active.count()).isZero();
    }

    @Test
    @Tag("X9")
    @DisplayName("No order is let in by a copy from which a switch was removed, whatever its sentinel " + "names")
    void changedCopyAdmitsNoOrder() throws Exception {
        KillSwitch on = new KillSwitch(KillSwitch.Level.USER, "alice", true, "asked for it", "olga", NOON);
        String sentinel = RiskSentinel.of(2, Map.of(on.name(), Json.write(on))).toString();
        for (String forged : List.of(sentinel, "2", "999999999999", "999999999999 " + "0".repeat(40))) {
            redis.commands().set(RedisKeys.FLEET_LOADED, forged);
            assertThat(admit(ALICE, "o-1")).as(forged).isEqualTo(new AdmissionDecision.NotLoaded());
        }
        assertThat(active.count()).isZero();
    }

    @Test
    @Tag("X6")
    @DisplayName("Orders that wait are counted again, once; the old ones are found page by page")
    void waitingOrdersAreRecountedOnce() throws Exception {
        active.add(of(ALICE, "old"), NOON);
        active.add(of(ALICE, "old"), Instant.EPOCH);
        active.add(of(BOB, "older"), NOON.minusSeconds(1));
        admit(ALICE, "new");
        assertThat(active.has(of(ALICE, "old"))).isTrue();
        assertThat(active.olderThan(Duration.ofSeconds(30), 0, 1)).containsExactly(of(BOB, "older"));
        assertThat(active.olderThan(Duration.ofSeconds(30), 1, 5)).containsExactly(of(ALICE, "old"));
        assertThat(admit(ALICE, "more")).isInstanceOf(AdmissionDecision.Full.class);
    }
}
