package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.FleetSummary;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.SteadyTrader;
import dev.berth.acceptance.stack.Venue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Orders of served users do not need PostgreSQL. */
@ExtendWith(StackExtension.class)
class PostgresOutageTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private final Stack stack;
    private final RedisKeyspace redis;

    PostgresOutageTest(Stack stack) {
        this.stack = stack;
        this.redis = RedisKeyspace.of(stack);
    }

    @AfterEach
    void restoreStack() throws IOException, InterruptedException {
        stack.berth("up");
        Venue.of(stack).reset();
    }

    @Test
    @Tag("E9")
    @Tag("X9")
    @Tag("B7")
    @DisplayName("During a PostgreSQL outage orders fill and a kill switch is 503; later all is stored")
    void ordersFillDuringOutage() throws Exception {
        Trader trader = Eventually.trading(stack, "pg-unavailable");
        FleetOperator operator = FleetOperator.of(stack);
        Venue venue = Venue.of(stack);
        // Slow enough that the order writes DISPATCHED before the fill.
        venue.delay(2_000);
        String body = "{\"level\":\"user\",\"userId\":\"pg-unknown\",\"on\":true,\"reason\":\"a test\"}";
        stack.process("postgres").kill();
        trader.submit(OrderBody.market("away", "AAPL", "buy", "1").json());
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(venue.arrivals(trader))
                        .extracting(Venue.Arrival::clientOrderId)
                        .containsExactly("warm", "away"));
        await().atMost(TIMEOUT)
                .until(() -> redis.sorted("orders:active:pg-unavailable").isEmpty());
        answersInPart(operator);
        explainsInPart();
        RestClient.JsonResponse refused = operator.put("/kill-switch", body);
        assertThat(refused.status()).as("%s", refused.body()).isEqualTo(503);
        assertThat(refused.text("type")).isEqualTo("urn:berth:problem:unavailable");

        stack.berth("up");
        assertThat(Eventually.order(trader, "away", "FILLED", TIMEOUT).attempts())
                .isEqualTo(1);
        await().atMost(TIMEOUT)
                .untilAsserted(() ->
                        assertThat(operator.put("/kill-switch", body).status()).isEqualTo(200));
        // A connection that was waited for since the outage may still fail.
        await().atMost(TIMEOUT)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> operator.killSwitch("user:pg-unknown", false));
        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(operator.fleet().missing()).isEmpty();
            assertThat(operator.get("/attention").list("missing", String.class)).isEmpty();
        });
    }

    /** As after a failover of RDS: another process answers at the same address within seconds. */
    @Test
    @Tag("X22")
    @DisplayName(
            "While PostgreSQL is replaced within seconds orders are accepted and filled, and none is lost or doubled")
    void ordersFillDuringFailover() throws Exception {
        List<SteadyTrader> traders = new ArrayList<>();
        try {
            for (int number = 0; number < 3; number++) {
                traders.add(SteadyTrader.of(stack, "pg-failover-" + number));
            }
            stack.process("postgres").kill();
            stack.berth("up");
            for (SteadyTrader trader : traders) {
                int before = trader.orders();
                await().atMost(TIMEOUT).until(() -> trader.orders() > before);
            }
            for (SteadyTrader trader : traders) {
                trader.requireAllStored(stack);
            }
        } finally {
            traders.forEach(SteadyTrader::close);
        }
    }

    /** The read cannot be recorded, so the worker is shown, and nothing of its orders. */
    private void explainsInPart() throws Exception {
        BerthCommand berth = new BerthCommand(stack);
        String notShown = "PostgreSQL does not answer, so the read is not in the audit";
        assertThat(berth.done("explain pg-unavailable"))
                .contains("The worker of pg-unavailable is", "heartbeat", "last decision", "next", notShown)
                .doesNotContain("warm", "alpaca");
        assertThat(berth.done("explain pg-unavailable:warm"))
                .contains("Order warm of pg-unavailable is not shown.", ", epoch", notShown)
                .doesNotContain("FILLED");
    }

    /** What needs no PostgreSQL is shown, and the rest is named. */
    private static void answersInPart(FleetOperator operator) throws Exception {
        RestClient.JsonResponse fleet = operator.get("");
        assertThat(fleet.status()).as("%s", fleet.body()).isEqualTo(200);
        FleetSummary summary = fleet.as(FleetSummary.class);
        assertThat(summary.missing()).containsExactly("postgresql");
        assertThat(summary.workers().get("ACTIVE")).isPositive();
        assertThat(summary.poolIdle()).isNotNull();
        assertThat(summary.attentionOrders()).isNull();
        for (String kind : List.of("", "?kind=worker", "?kind=order")) {
            RestClient.JsonResponse attention = operator.get("/attention" + kind);
            assertThat(attention.status()).as("%s", attention.body()).isEqualTo(200);
            assertThat(attention.list("missing", String.class)).containsExactly("postgresql");
        }
    }
}
