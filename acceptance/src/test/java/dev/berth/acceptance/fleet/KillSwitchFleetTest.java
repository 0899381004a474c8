package dev.berth.acceptance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.FleetOperator.KillSwitch;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.PrometheusMetrics;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StackExtension.class)
class KillSwitchFleetTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int WAITING = 12;
    /** The number of orders sent before the switch goes on. */
    private static final int FLOWING = 2;

    private final Stack stack;
    private final Venue venue;
    private FleetOperator operator;

    KillSwitchFleetTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @BeforeEach
    void signIn() throws Exception {
        operator = FleetOperator.of(stack);
    }

    @AfterEach
    void switchOff() throws Exception {
        venue.reset();
        operator.killSwitch("all", false);
        operator.killSwitch("broker:alpaca", false);
    }

    private static void assertRefused(Trader trader, String id) throws Exception {
        JsonResponse refused = trader.submit(OrderBody.market(id, "AAPL", "buy", "1"), 0);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("type")).isEqualTo("urn:berth:problem:kill-switch");
        assertThat(trader.get("/v1/orders/" + id).status()).isEqualTo(404);
    }

    @Test
    @Tag("X9")
    @DisplayName("A kill switch stops queued orders within 1 s; cancels and sent orders are still answered")
    void switchStopsQueuedOrders() throws Exception {
        Trader trader = Eventually.trading(stack, "kill-flow");
        assertThat(trader.submit(OrderBody.limit("rests", "MSFT", "buy", "1", "90"), 60)
                        .text("status"))
                .isEqualTo("NEW");
        venue.delay(200);
        for (int i = 0; i < WAITING; i++) {
            if (i == FLOWING) {
                Eventually.arrivals(venue, trader, 2 + FLOWING);
                // At most one more order is sent, so the others wait.
                venue.hold();
            }
            trader.submit(OrderBody.market("o-" + i, "AAPL", "buy", "1").json());
        }
        operator.killSwitch("user:kill-flow", true);
        Instant answered = Instant.now();
        venue.delay(200);
        assertRefused(trader, "too-late");
        assertThat(trader.submit(OrderBody.market("o-0", "AAPL", "buy", "1").json())
                        .status())
                .isEqualTo(200);
        List<String> ends = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            String id = "o-" + i;
            PlacedOrder[] order = new PlacedOrder[1];
            await().atMost(TIMEOUT).untilAsserted(() -> {
                order[0] = trader.order(id);
                assertThat(order[0].status()).isIn("FILLED", "FAILED");
            });
            ends.add(String.valueOf(order[0].status()));
            if (ends.getLast().equals("FAILED")) {
                assertThat(order[0].reason()).startsWith("risk: kill-switch: ").contains("a test");
                assertThat(venue.accepted(trader, id)).isEmpty();
            }
        }
        assertThat(ends).contains("FAILED").startsWith("FILLED");
        assertThat(venue.arrivals(trader))
                .allSatisfy(arrival -> assertThat(arrival.time()).isBefore(answered.plusSeconds(1)));
        Eventually.canceled(trader, "rests", TIMEOUT);
        operator.killSwitch("user:kill-flow", false);
        Eventually.filled(trader, "again");
    }

    @Test
    @Tag("X9")
    @DisplayName("A switch of a broker or of the fleet stops its orders; the answer shows every switch")
    void brokerAndFleetSwitchesStopOrders() throws Exception {
        Trader trader = stack.trader("kill-levels");
        operator.killSwitch("broker:alpaca", true);
        assertRefused(trader, "by-broker");
        operator.killSwitch("broker:alpaca", false);
        List<KillSwitch> all = operator.killSwitch("all", true);
        assertThat(all.getFirst().level()).isEqualTo("all");
        assertThat(all.getFirst().on()).isTrue();
        assertThat(all.getFirst().changedBy()).isEqualTo("olga");
        assertRefused(trader, "by-all");
        assertThat(operator.killSwitches()).isEqualTo(all);
    }

    @Test
    @Tag("long")
    @Tag("X9")
    @DisplayName("A switch survives an API restart and a Redis without data; meanwhile nothing is sent")
    void switchSurvivesRestartAndRedisLoss() throws Exception {
        Trader trader = Eventually.trading(stack, "kill-durable");
        operator.killSwitch("all", true);
        RedisKeyspace.of(stack).forgetEverything();
        JsonResponse answer = trader.submit(OrderBody.market("forgotten", "AAPL", "buy", "1"), 0);
        assertThat(answer.status()).isIn(403, 503);
        await().atMost(TIMEOUT).untilAsserted(() -> assertRefused(trader, "loaded-again"));
        stack.process("api").kill();
        RedisKeyspace.of(stack).forgetEverything();
        stack.berth("up");
        await().atMost(TIMEOUT).untilAsserted(() -> assertRefused(trader, "started-again"));
        operator.killSwitch("all", false);
        Eventually.filled(trader, "off");
    }

    @Test
    @Tag("X9")
    @DisplayName("A forged copy in Redis lets no order pass and is replaced within 2 s")
    void forgedCopyIsReplaced() throws Exception {
        Trader trader = Eventually.trading(stack, "kill-forged");
        operator.killSwitch("all", true);
        RedisKeyspace redis = RedisKeyspace.of(stack);
        Map<String, String> switches = redis.hash("kill-switch");
        String sentinel = redis.get("fleet:loaded");
        List<String> stored = stored();
        String forged = "999999999999 " + "0".repeat(40);
        int order = 0;
        List<Duration> restored = new ArrayList<>();
        for (String copy : List.of(sentinel, forged, "999999999999", "no sentinel")) {
            redis.set(Map.of("fleet:loaded", copy));
            redis.deleteField("kill-switch", "all");
            assertThat(trader.submit(OrderBody.market("forged-" + order++, "AAPL", "buy", "1"), 0)
                            .status())
                    .as(copy)
                    .isIn(403, 503);
            restored.add(timeToRestore(redis, switches, sentinel));
        }
        // The digest is no signature: only the comparison with PostgreSQL finds a copy with a valid
        // digest.
        redis.set(Map.of("fleet:loaded", "999999999999 da39a3ee5e6b4b0d3255bfef95601890afd80709"));
        redis.delete("kill-switch");
        restored.add(timeToRestore(redis, switches, sentinel));
        assertThat(restored.stream().sorted().toList().get(restored.size() / 2))
                .as("the median of %s", restored)
                .isLessThan(Duration.ofSeconds(2));
        assertRefused(trader, "put-right");
        assertThat(venue.arrivals(trader)).as("only the first order was sent").hasSize(1);
        assertThat(stored()).isEqualTo(stored);
        assertThat(operator.get("/kill-switch").text("copy")).isEqualTo("CURRENT");
        assertThat(PrometheusMetrics.sum(stack.api(), "berth_risk_foreign_copies_total"))
                .isGreaterThanOrEqualTo(5);
    }

    /** How long the copy needed to be the stored one. */
    private static Duration timeToRestore(RedisKeyspace redis, Map<String, String> switches, String sentinel) {
        Instant forged = Instant.now();
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            assertThat(redis.hash("kill-switch")).isEqualTo(switches);
            assertThat(redis.get("fleet:loaded")).isEqualTo(sentinel);
        });
        return Duration.between(forged, Instant.now());
    }

    /** Every change of a switch and the version, as PostgreSQL stores them. */
    private List<String> stored() throws Exception {
        List<String> rows = new ArrayList<>();
        try (Connection postgres = stack.openPostgres();
                Statement statement = postgres.createStatement();
                ResultSet found = statement.executeQuery("SELECT version || ' ' || state FROM kill_switches"
                        + " UNION ALL SELECT 'version ' || version FROM risk_version ORDER BY 1")) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }
        return rows;
    }

    @Test
    @DisplayName("An invalid switch is 400, and a user cannot set one")
    void invalidSwitchIsRefused() throws Exception {
        for (String body : List.of(
                "{\"level\":\"user\",\"on\":true,\"reason\":\"r\"}",
                "{\"level\":\"all\",\"userId\":\"alice\",\"on\":true,\"reason\":\"r\"}",
                "{\"level\":\"all\",\"on\":true}",
                "{\"level\":\"all\",\"reason\":\"r\"}",
                "{\"level\":\"broker\",\"broker\":\"a b\",\"on\":true,\"reason\":\"r\"}")) {
            assertThat(operator.put("/kill-switch", body).status()).as(body).isEqualTo(400);
        }
        Trader alice = stack.trader("kill-unknown");
        assertThat(new FleetOperator(stack.api(), alice.bearer())
                        .put("/kill-switch", "{\"level\":\"all\",\"on\":true,\"reason\":\"r\"}")
                        .status())
                .isEqualTo(403);
    }
}
