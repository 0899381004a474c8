package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.UserTasks;
import dev.berth.acceptance.stack.Venue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis is down longer than a lease or loses its data, with orders under way. */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class RedisDataLossTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** Declined orders pause up to 15 s, and a try that is held takes 2 s. */
    private static final Duration SENT = Duration.ofSeconds(60);
    /** Workers write their heartbeat keys within 6 s; the rest is for a busy machine. */
    private static final Duration REGISTERED = Duration.ofSeconds(60);

    private final Stack stack;
    private final Venue venue;
    private final RedisKeyspace redis;
    private final LocalProcess redisServer;

    RedisDataLossTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.redis = RedisKeyspace.of(stack);
        this.redisServer = stack.process("redis");
    }

    @BeforeEach
    void awaitFullPool() {
        Eventually.fullPool(redis);
    }

    @AfterEach
    void restoreStack() throws Exception {
        venue.reset();
        stack.berth("up");
    }

    @Test
    @Tag("X6")
    @Tag("X9")
    @DisplayName("In a 10 s Redis outage queued orders wait, new ones are 503 and workers stay")
    void shortOutageKeepsQueuedOrders() throws Exception {
        Trader trader = trading("redis-ten");
        Worker before = trader.worker();
        List<Long> pool = poolPids();
        List<String> orders = submitQueued(trader, 3);
        redisServer.kill();
        venue.delay(0);
        assertRefusedDuring(Duration.ofSeconds(10), trader, before);
        assertThat(venue.arrivals(trader)).hasSize(2);
        stack.berth("up");
        assertRecovered(trader, before, orders);
        assertThat(pool).allMatch(Processes::lives);
    }

    @Test
    @Tag("X6")
    @Tag("E10")
    @DisplayName("After 60 s without Redis and its data, workers are kept and waiting orders fill once")
    void longOutageWithDataLossKeepsWorkers() throws Exception {
        awayForAMinute("redis-sixty", this::loseData);
    }

    @Test
    @Tag("X6")
    @DisplayName("Redis is unavailable for 60 s and comes back with its data: the same")
    void awayForAMinute() throws Exception {
        awayForAMinute("redis-sixty-kept", () -> {});
    }

    private void awayForAMinute(String user, DuringOutage duringOutage) throws Exception {
        Trader trader = trading(user);
        Worker before = trader.worker();
        List<Long> pool = poolPids();
        List<String> orders = submitQueued(trader, 4);
        redisServer.kill();
        venue.delay(0);
        assertRefusedDuring(Duration.ofSeconds(60), trader, before);
        assertThat(venue.arrivals(trader)).hasSize(2);
        assertThat(trader.order(orders.getLast()).filledQuantity()).isEqualTo("0");
        duringOutage.run();
        stack.berth("up");
        assertRecovered(trader, before, orders);
        assertThat(pool).allMatch(Processes::lives);
    }

    @Test
    @Tag("X6")
    @DisplayName("Redis loses its data while the API is down: live workers are registered again")
    void dataLossDuringApiOutageKeepsWorkers() throws Exception {
        Trader trader = trading("redis-plane");
        Worker before = trader.worker();
        List<String> orders = submitQueued(trader, 3);
        stack.process("api").kill();
        redisServer.kill();
        loseData();
        venue.delay(0);
        stack.berth("up");
        assertRecovered(trader, before, orders);
        assertThat(UserTasks.of(stack).running(trader)).containsExactly(before.taskId());
    }

    /** Changes Redis' data during the outage. */
    private interface DuringOutage {
        void run() throws IOException;
    }

    /** Orders are refused, and the worker is kept. */
    private static void assertRefusedDuring(Duration time, Trader trader, Worker before) {
        await().during(time)
                .atMost(time.plusSeconds(10))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    JsonResponse refused = trader.submit(
                            OrderBody.market("away", "AAPL", "buy", "1").json());
                    assertThat(refused.status()).as("%s", refused.body()).isEqualTo(503);
                    assertThat(refused.text("type")).isEqualTo("urn:berth:problem:unavailable");
                    assertKept(trader, before);
                });
    }

    private static void assertKept(Trader trader, Worker before) throws Exception {
        Worker now = trader.worker();
        assertThat(now.pid()).as("%s", now).isEqualTo(before.pid());
        assertThat(now.epoch()).as("%s", now).isEqualTo(before.epoch());
        assertThat(now.deaths()).isZero();
        assertThat(Processes.lives(before.pid())).isTrue();
    }

    private void assertRecovered(Trader trader, Worker before, List<String> orders) throws Exception {
        String user = trader.user();
        await().atMost(REGISTERED).untilAsserted(() -> {
            assertThat(redis.get("worker:active:" + user)).isNotEmpty();
            assertThat(redis.get("worker:epoch:" + user)).isEqualTo(Long.toString(before.epoch()));
        });
        for (String order : orders) {
            Eventually.order(trader, order, "FILLED", SENT);
            assertThat(venue.accepted(trader, order)).hasSize(1);
        }
        await().atMost(SENT)
                .until(() -> trader.submit(OrderBody.market("away", "AAPL", "buy", "1"), 10)
                        .text("status")
                        .equals("FILLED"));
        List<String> sent = new ArrayList<>(List.of("warm"));
        sent.addAll(orders);
        sent.add("away");
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(sent);
        assertKept(trader, before);
        Eventually.fullPool(redis);
    }

    /** A limit makes orders need a quote, which is missing or old after an outage. */
    private Trader trading(String user) throws Exception {
        Trader trader = Eventually.trading(stack, user);
        assertThat(FleetOperator.of(stack)
                        .put("/limits/" + user + "/alpaca/equity/paper/paper", "{\"maxNotional\":\"1000000\"}")
                        .status())
                .isEqualTo(200);
        Eventually.fullPool(redis);
        return trader;
    }

    /** Submits orders while the venue holds the first one in the worker's hand. */
    private List<String> submitQueued(Trader trader, int number) throws Exception {
        venue.hold();
        List<String> ids = new ArrayList<>();
        for (int next = 1; next <= number; next++) {
            ids.add("q" + next);
            String order = OrderBody.market("q" + next, "AAPL", "buy", "1")
                    .within(Duration.ofMinutes(10))
                    .json();
            await().atMost(TIMEOUT).until(() -> trader.submit(order).status() < 300);
            new TemporalCli(stack).awaitScheduled("order:" + trader.user() + ":q" + next, "submitOrder", TIMEOUT);
        }
        Eventually.arrivals(venue, trader, 2);
        return ids;
    }

    private List<Long> poolPids() throws IOException {
        List<Long> pids = new ArrayList<>();
        for (String task : redis.idlePoolWorkers()) {
            pids.add(Processes.ofTask(task));
        }
        return pids;
    }

    private void loseData() throws IOException {
        try (Stream<Path> all = Files.walk(stack.home().resolve("data/redis/data"))) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
