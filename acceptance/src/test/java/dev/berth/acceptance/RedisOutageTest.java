package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Rest.Answer;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis is away for long enough to matter, with orders under way. */
@Order(1)
@ExtendWith(OnTheStack.class)
class RedisOutageTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    /** Workers mark themselves again within 6 s; the rest is for the machine. */
    private static final Duration MARKED_AGAIN = Duration.ofSeconds(60);

    private final Stack stack;
    private final Venue venue;
    private final RedisKeyspace keys;
    private final LocalProcess redis;

    RedisOutageTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.keys = RedisKeyspace.of(stack);
        this.redis = stack.process("redis");
    }

    @BeforeEach
    void thePoolIsFull() {
        Eventually.fullPool(keys);
    }

    @AfterEach
    void giveBack() throws Exception {
        venue.reset();
        stack.berth("up");
    }

    @Test
    @DisplayName(
            "X6 Redis is away for 10 s: orders that were queued wait, since X9 X10 nobody can look at kill switch and limits;"
                    + " new ones get 503, no worker is replaced")
    void awayForTenSeconds() throws Exception {
        Trader trader = trading("redis-ten");
        JsonNode before = trader.worker();
        List<Long> pool = poolPids();
        List<String> orders = queued(trader, 3);
        redis.kill();
        venue.delay(0);
        refusedDuring(Duration.ofSeconds(10), trader, before);
        assertThat(venue.arrivals(trader)).hasSize(2);
        stack.berth("up");
        carriesOn(trader, before, orders);
        assertThat(pool).allMatch(Processes::lives);
    }

    @Test
    @DisplayName("X6 Redis is away for 60 s and comes back without its data: workers were fenced (E10) and are kept,"
            + " epochs and marks are put back, every order that waited is filled once")
    void awayForAMinuteAndWithoutItsData() throws Exception {
        awayForAMinute("redis-sixty", this::loseData);
    }

    /** The easier case of the two, and another minute and a half: {@code -Dberth.long=true}. */
    @Test
    @EnabledIfSystemProperty(named = "berth.long", matches = "true")
    @DisplayName("X6 Redis is away for 60 s and comes back with its data: the same")
    void awayForAMinute() throws Exception {
        awayForAMinute("redis-sixty-kept", () -> {});
    }

    private void awayForAMinute(String user, Meanwhile meanwhile) throws Exception {
        Trader trader = trading(user);
        JsonNode before = trader.worker();
        List<Long> pool = poolPids();
        List<String> orders = queued(trader, 4);
        redis.kill();
        venue.delay(0);
        refusedDuring(Duration.ofSeconds(60), trader, before);
        assertThat(venue.arrivals(trader)).hasSize(2);
        assertThat(trader.order(orders.getLast()).path("filledQuantity").asText())
                .isEqualTo("0");
        meanwhile.run();
        stack.berth("up");
        carriesOn(trader, before, orders);
        assertThat(pool).allMatch(Processes::lives);
    }

    @Test
    @DisplayName(
            "X6 Redis loses its data while the control plane is down: every live worker is kept, and registered again")
    void lostWithTheControlPlane() throws Exception {
        Trader trader = trading("redis-plane");
        JsonNode before = trader.worker();
        List<String> orders = queued(trader, 3);
        stack.process("api").kill();
        redis.kill();
        loseData();
        venue.delay(0);
        stack.berth("up");
        carriesOn(trader, before, orders);
        assertThat(UserTasks.of(stack).running(trader)).containsExactly(Ecs.idOf(before));
    }

    /** What becomes of Redis while it is away. */
    private interface Meanwhile {
        void run() throws IOException;
    }

    /** No order is accepted, and the worker is the one that it was. */
    private static void refusedDuring(Duration time, Trader trader, JsonNode before) {
        await().during(time)
                .atMost(time.plusSeconds(10))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    Answer refused = trader.submit(
                            NewOrder.market("away", "AAPL", "buy", "1").json());
                    assertThat(refused.status()).as("%s", refused.body()).isEqualTo(503);
                    assertThat(refused.text("type")).isEqualTo("urn:berth:problem:unavailable");
                    assertKept(trader, before);
                });
    }

    private static void assertKept(Trader trader, JsonNode before) throws Exception {
        JsonNode now = trader.worker();
        assertThat(now.path("pid")).as("%s", now).isEqualTo(before.path("pid"));
        assertThat(now.path("epoch")).as("%s", now).isEqualTo(before.path("epoch"));
        assertThat(now.path("deaths").asInt()).isZero();
        assertThat(Processes.lives(before.path("pid").asLong())).isTrue();
    }

    private void carriesOn(Trader trader, JsonNode before, List<String> orders) throws Exception {
        String user = trader.user();
        await().atMost(MARKED_AGAIN).untilAsserted(() -> {
            assertThat(keys.get("worker:active:" + user)).isNotEmpty();
            assertThat(keys.get("worker:epoch:" + user))
                    .isEqualTo(before.path("epoch").asText());
        });
        for (String order : orders) {
            Eventually.order(trader, order, "FILLED", SOON);
            assertThat(venue.accepted(trader, order)).hasSize(1);
        }
        await().atMost(SOON)
                .until(() -> trader.submit(NewOrder.market("away", "AAPL", "buy", "1"), 10)
                        .text("status")
                        .equals("FILLED"));
        List<String> sent = new ArrayList<>(List.of("warm"));
        sent.addAll(orders);
        sent.add("away");
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(sent);
        assertKept(trader, before);
        Eventually.fullPool(keys);
    }

    /** Its orders need a quote, and quotes are gone, or old, after an outage. */
    private Trader trading(String user) throws Exception {
        Trader trader = Eventually.trading(stack, user);
        assertThat(Operator.of(stack)
                        .put("/limits/" + user + "/alpaca/equity/paper/paper", "{\"maxNotional\":\"1000000\"}")
                        .status())
                .isEqualTo(200);
        Eventually.fullPool(keys);
        return trader;
    }

    /** Orders that the worker sends one after the other; the first is in its hand, and the venue holds it. */
    private List<String> queued(Trader trader, int number) throws Exception {
        venue.hold();
        List<String> ids = new ArrayList<>();
        for (int next = 1; next <= number; next++) {
            ids.add("q" + next);
            String order = NewOrder.market("q" + next, "AAPL", "buy", "1")
                    .within(Duration.ofMinutes(10))
                    .json();
            await().atMost(SOON).until(() -> trader.submit(order).status() < 300);
            new TemporalCli(stack).awaitScheduled("order:" + trader.user() + ":q" + next, "submitOrder", SOON);
        }
        Eventually.arrivals(venue, trader, 2);
        return ids;
    }

    private List<Long> poolPids() throws IOException {
        List<Long> pids = new ArrayList<>();
        for (String task : keys.idlePoolWorkers()) {
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
