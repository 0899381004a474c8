package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.Rest.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTheStack.class)
class KillSwitchTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int WAITING = 12;
    /** Of these, the first are sent before the switch goes on. */
    private static final int FLOWING = 2;

    private final Stack stack;
    private final Venue venue;
    private Operator operator;

    KillSwitchTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @BeforeEach
    void anOperator() throws Exception {
        operator = Operator.of(stack);
    }

    @AfterEach
    void switchOff() throws Exception {
        venue.reset();
        operator.killSwitch("all", false);
        operator.killSwitch("broker:alpaca", false);
    }

    private Trader trading(String user) throws Exception {
        Trader trader = stack.trader(user);
        assertThat(trader.submit(NewOrder.market("warm", "AAPL", "buy", "1"), 30)
                        .text("status"))
                .isEqualTo("FILLED");
        return trader;
    }

    private static void isRefused(Trader trader, String id) throws Exception {
        Answer refused = trader.submit(NewOrder.market(id, "AAPL", "buy", "1"), 0);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("type")).isEqualTo("urn:berth:problem:kill-switch");
        assertThat(trader.get("/v1/orders/" + id).status()).isEqualTo(404);
    }

    @Test
    @DisplayName(
            "X9 orders are flowing and the switch goes on: within 1 s none reaches the venue; those that wait end as"
                    + " FAILED with the reason; cancels pass; one that was accepted before is still answered")
    void whileOrdersFlow() throws Exception {
        Trader trader = trading("kill-flow");
        assertThat(trader.submit(NewOrder.limit("rests", "MSFT", "buy", "1", "90"), 20)
                        .text("status"))
                .isEqualTo("NEW");
        venue.delay(200);
        for (int i = 0; i < WAITING; i++) {
            if (i == FLOWING) {
                Eventually.arrivals(venue, trader, 2 + FLOWING);
                // One is sent at most, so that the others are sure to wait.
                venue.hold();
            }
            trader.submit(NewOrder.market("o-" + i, "AAPL", "buy", "1").json());
        }
        operator.killSwitch("user:kill-flow", true);
        Instant answered = Instant.now();
        venue.delay(200);
        isRefused(trader, "too-late");
        assertThat(trader.submit(NewOrder.market("o-0", "AAPL", "buy", "1").json())
                        .status())
                .isEqualTo(200);
        List<String> ends = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            String id = "o-" + i;
            JsonNode[] order = new JsonNode[1];
            await().atMost(SOON).untilAsserted(() -> {
                order[0] = trader.order(id);
                assertThat(order[0].path("status").asText()).isIn("FILLED", "FAILED");
            });
            ends.add(order[0].path("status").asText());
            if (ends.getLast().equals("FAILED")) {
                assertThat(order[0].path("reason").asText())
                        .startsWith("risk: kill-switch: ")
                        .contains("a test");
                assertThat(venue.accepted(trader, id)).isEmpty();
            }
        }
        assertThat(ends).contains("FAILED").startsWith("FILLED");
        assertThat(venue.arrivals(trader))
                .allSatisfy(arrival -> assertThat(arrival.time()).isBefore(answered.plusSeconds(1)));
        assertThat(trader.delete("/v1/orders/rests").status()).isIn(200, 202);
        Eventually.order(trader, "rests", "CANCELED", SOON);
        operator.killSwitch("user:kill-flow", false);
        assertThat(trader.submit(NewOrder.market("again", "AAPL", "buy", "1"), 20)
                        .text("status"))
                .isEqualTo("FILLED");
    }

    @Test
    @DisplayName("X9 a switch of the broker or of all stops everybody; the answer shows every switch")
    void brokerAndAll() throws Exception {
        Trader trader = stack.trader("kill-levels");
        operator.killSwitch("broker:alpaca", true);
        isRefused(trader, "by-broker");
        operator.killSwitch("broker:alpaca", false);
        JsonNode all = operator.killSwitch("all", true);
        assertThat(all.get(0).path("level").asText()).isEqualTo("all");
        assertThat(all.get(0).path("on").asBoolean()).isTrue();
        assertThat(all.get(0).path("changedBy").asText()).isEqualTo("olga");
        isRefused(trader, "by-all");
        assertThat(operator.get("/kill-switch").body().path("switches")).isEqualTo(all);
    }

    @Test
    @DisplayName("X9 a switch outlives the API and the data of Redis; meanwhile nothing is sent")
    void durable() throws Exception {
        Trader trader = trading("kill-durable");
        operator.killSwitch("all", true);
        RedisKeyspace.of(stack).forgetEverything();
        Answer answer = trader.submit(NewOrder.market("forgotten", "AAPL", "buy", "1"), 0);
        assertThat(answer.status()).isIn(403, 503);
        await().atMost(SOON).untilAsserted(() -> isRefused(trader, "loaded-again"));
        stack.process("api").kill();
        RedisKeyspace.of(stack).forgetEverything();
        stack.berth("up");
        await().atMost(SOON).untilAsserted(() -> isRefused(trader, "started-again"));
        operator.killSwitch("all", false);
        assertThat(trader.submit(NewOrder.market("off", "AAPL", "buy", "1"), 30).text("status"))
                .isEqualTo("FILLED");
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        for (String body : List.of(
                "{\"level\":\"user\",\"on\":true,\"reason\":\"r\"}",
                "{\"level\":\"all\",\"userId\":\"alice\",\"on\":true,\"reason\":\"r\"}",
                "{\"level\":\"all\",\"on\":true}",
                "{\"level\":\"all\",\"reason\":\"r\"}",
                "{\"level\":\"broker\",\"broker\":\"a b\",\"on\":true,\"reason\":\"r\"}")) {
            assertThat(operator.put("/kill-switch", body).status()).as(body).isEqualTo(400);
        }
        Trader alice = stack.trader("kill-nobody");
        assertThat(new Operator(stack.api(), alice.bearer())
                        .put("/kill-switch", "{\"level\":\"all\",\"on\":true,\"reason\":\"r\"}")
                        .status())
                .isEqualTo(403);
    }
}
