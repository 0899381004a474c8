package dev.berth.activities.risk;

import static dev.berth.activities.Samples.ACCOUNT;
import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static dev.berth.activities.Samples.NOON;
import static dev.berth.activities.Samples.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestRedis;
import dev.berth.activities.risk.ActiveOrders.Active;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.Quote;
import dev.berth.workflows.risk.RiskLimits;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderGateTest {
    private static TestRedis redis;
    private static OrderGate gate;
    private static ActiveOrders active;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
        gate = new OrderGate(redis.client().connect(), 3, 2);
        active = new ActiveOrders(redis.commands());
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void loaded() {
        redis.forgetEverything();
        redis.commands().set(RedisKeys.FLEET_LOADED, "1");
    }

    private static Admittance admit(UserId userId, String id) throws Exception {
        return gate.admit(order(userId, id, NOON));
    }

    private static Active of(UserId userId, String id) {
        return new Active(userId, new ClientOrderId(id));
    }

    private static void limit(RiskLimits limits) {
        redis.commands().hset(RedisKeys.riskLimits(ALICE), ACCOUNT.toString(), Json.write(limits));
    }

    @Test
    @DisplayName("E9 an order counts once, however often it is submitted; its user's worker is looked for meanwhile")
    void admitted() throws Exception {
        assertThat(admit(ALICE, "o-1")).isEqualTo(new Admittance.Admitted(true, false, 1));
        redis.commands().set(RedisKeys.mark(ALICE), "task-1");
        assertThat(admit(ALICE, "o-1")).isEqualTo(new Admittance.Admitted(false, true, 1));
        assertThat(active.count()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "E9 over the ceiling of a user or of all nothing is let in, but what is in passes; a release makes room")
    void ceilings() throws Exception {
        admit(ALICE, "o-1");
        admit(ALICE, "o-2");
        assertThat(admit(ALICE, "o-3")).isEqualTo(new Admittance.Full(new Admittance.Drain(0, 0, 10), 2, true));
        assertThat(admit(BOB, "o-1")).isInstanceOf(Admittance.Admitted.class);
        assertThat(admit(BOB, "o-2")).isEqualTo(new Admittance.Full(new Admittance.Drain(0, 1, 10), 3, false));
        assertThat(admit(ALICE, "o-2")).isEqualTo(new Admittance.Admitted(false, false, 3));
        active.release(of(ALICE, "o-1"));
        active.release(of(ALICE, "o-1"));
        assertThat(admit(BOB, "o-2")).isInstanceOf(Admittance.Admitted.class);
        assertThat(admit(BOB, "o-3")).isEqualTo(new Admittance.Full(new Admittance.Drain(1, 2, 10), 3, false));
    }

    @Test
    @DisplayName("E9 an order that Redis counts too late, when its client was refused already, is not counted for long")
    void countedTooLate() throws Exception {
        StatefulRedisConnection<String, String> connection = redis.client().connect();
        OrderGate late = new OrderGate(connection, 3, 2);
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
    @DisplayName("X7 an order that was never started is no drain")
    void withdrawn() throws Exception {
        admit(ALICE, "o-1");
        active.withdraw(of(ALICE, "o-1"));
        assertThat(redis.commands().keys("orders:*")).isEmpty();
    }

    @Test
    @DisplayName("X10 as many orders at once as the rate allows a second, then one by one")
    void rate() throws Exception {
        OrderGate wide = new OrderGate(redis.client().connect(), 100, 100);
        limit(new RiskLimits(null, null, null, 2));
        String rateOfAlice =
                RedisKeys.orderRate(ALICE, order(ALICE, "o-1", NOON).account());
        Instant first = redisTime();
        assertThat(wide.admit(order(ALICE, "o-1", NOON))).isInstanceOf(Admittance.Admitted.class);
        assertThat(wide.admit(order(ALICE, "o-2", NOON))).isInstanceOf(Admittance.Admitted.class);
        assertThat(Long.parseLong(redis.commands().get(rateOfAlice)))
                .as("two orders take up a second")
                .isGreaterThanOrEqualTo(first.plusSeconds(1).getEpochSecond() * 1_000_000);
        // As if many more had come in the same moment: the next is on time in 100 s, and one may be early.
        Instant before = redisTime();
        Instant due = before.plusSeconds(100);
        redis.commands().set(rateOfAlice, Long.toString(due.getEpochSecond() * 1_000_000));
        Admittance third = wide.admit(order(ALICE, "o-3", NOON));
        Duration half = Duration.ofMillis(500);
        assertThat(third)
                .isInstanceOfSatisfying(
                        Admittance.TooFast.class,
                        fast -> assertThat(fast.early())
                                .isBetween(
                                        Duration.between(redisTime(), due)
                                                .minus(half)
                                                .minusSeconds(1),
                                        Duration.between(before, due).minus(half)));
        assertThat(wide.admit(order(ALICE, "o-1", NOON))).isInstanceOf(Admittance.Admitted.class);
        assertThat(wide.admit(order(BOB, "o-1", NOON))).isInstanceOf(Admittance.Admitted.class);
        redis.commands().del(rateOfAlice);
        assertThat(wide.admit(order(ALICE, "o-3", NOON))).isInstanceOf(Admittance.Admitted.class);
    }

    private static Instant redisTime() {
        List<String> time = redis.commands().time();
        return Instant.ofEpochSecond(Long.parseLong(time.getFirst()), Long.parseLong(time.getLast()) * 1_000);
    }

    @Test
    @DisplayName("X9 a switch that is on refuses before anything is counted")
    void killSwitch() throws Exception {
        KillSwitch on = new KillSwitch(KillSwitch.Level.USER, "alice", true, "asked for it", "olga", NOON);
        redis.commands().hset(RedisKeys.KILL_SWITCH, on.name(), Json.write(on));
        assertThat(admit(ALICE, "o-1")).isInstanceOfSatisfying(Admittance.Objected.class, said -> {
            assertThat(said.reason()).asString().startsWith("risk: kill-switch: ");
            assertThat(said.counted()).isFalse();
        });
        assertThat(active.count()).isZero();
        assertThat(admit(BOB, "o-1")).isInstanceOf(Admittance.Admitted.class);
    }

    @Test
    @DisplayName("X10 limits and quote are those of the very moment in which the order is counted")
    void limitsAndQuote() throws Exception {
        limit(new RiskLimits(null, Decimal.of("1000"), null, null));
        assertThat(admit(ALICE, "o-1"))
                .isInstanceOfSatisfying(
                        Admittance.Objected.class,
                        said -> assertThat(said.reason()).asString().contains("The price of AAPL is not known now"));
        RedisQuotes quotes = new RedisQuotes(redis.commands(), Set.of("SPY"));
        quotes.store(Map.of("AAPL", new Quote(Decimal.of("99"), Decimal.of("100"), quotes.now())));
        assertThat(admit(ALICE, "o-2")).isInstanceOf(Admittance.Admitted.class);
        assertThat(quotes.wanted()).isEmpty();
        redis.commands().set(RedisKeys.QUOTES_NEEDED, "1");
        assertThat(quotes.wanted()).containsExactlyInAnyOrder("AAPL", "SPY");
        assertThat(quotes.isMyTurn()).isTrue();
        assertThat(quotes.isMyTurn()).isFalse();
    }

    @Test
    @DisplayName("X6 without the sentinel nobody is let in: Redis lost its data, and the switches are not loaded yet")
    void notLoaded() throws Exception {
        redis.commands().del(RedisKeys.FLEET_LOADED);
        assertThat(admit(ALICE, "o-1")).isEqualTo(new Admittance.NotLoaded());
        assertThat(active.count()).isZero();
    }

    @Test
    @DisplayName("X6 orders that wait are counted again, once; the old ones are found page by page")
    void correction() throws Exception {
        active.add(of(ALICE, "old"), NOON);
        active.add(of(ALICE, "old"), Instant.EPOCH);
        active.add(of(BOB, "older"), NOON.minusSeconds(1));
        admit(ALICE, "new");
        assertThat(active.has(of(ALICE, "old"))).isTrue();
        assertThat(active.olderThan(Duration.ofSeconds(30), 0, 1)).containsExactly(of(BOB, "older"));
        assertThat(active.olderThan(Duration.ofSeconds(30), 1, 5)).containsExactly(of(ALICE, "old"));
        assertThat(admit(ALICE, "more")).isInstanceOf(Admittance.Full.class);
    }
}
