package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What failed for good waits for a person, who cannot send it too late. */
@ExtendWith(StackExtension.class)
class AttentionTest {
    private final Stack stack;
    private final FleetOperator operator;
    private final Trader trader;

    AttentionTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
        this.trader = stack.trader("attended");
    }

    @AfterEach
    void resume() throws Exception {
        operator.tell("/workers/attended:resume", "the test is over");
    }

    private JsonNode attended() throws Exception {
        return operator.get("/attention?kind=order&userId=attended").body().path("items");
    }

    /** What an alarm asks; nothing while it is 0 or not known. */
    private boolean isAlarmed() throws Exception {
        return stack.api()
                .call("GET", "/actuator/prometheus", null)
                .raw()
                .body()
                .lines()
                .anyMatch(line -> line.matches("berth_attention\\{kind=\"order\"} [1-9].*"));
    }

    @Test
    @Tag("B5")
    @Tag("D7")
    @Tag("X15")
    @DisplayName("An order that expired untaken is listed and counted; a requeue of it is refused, " + "dry or not")
    void anExpiredOrder() throws Exception {
        operator.tell("/workers/attended:suspend", "a test");
        trader.submit(OrderBody.market("late", "AAPL", "buy", "1")
                .within(Duration.ofSeconds(1))
                .json());
        JsonNode failed = Eventually.order(trader, "late", "FAILED", Duration.ofSeconds(30));
        assertThat(failed.path("reason").asText()).startsWith("capacity: not-taken: ");
        // The list is written beside the hot path, so it may follow the answer by a moment.
        await().atMost(Duration.ofSeconds(30)).until(() -> !attended().isEmpty());
        JsonNode items = attended();
        assertThat(items).hasSize(1);
        JsonNode item = items.get(0);
        assertThat(item.path("id").asText()).isEqualTo("attended:late");
        assertThat(item.path("code").asText()).isEqualTo("not-taken");
        assertThat(item.path("requeueable").asBoolean()).isFalse();
        assertThat(item.path("notRequeueableBecause").asText()).contains("expired");
        assertThat(operator.get("").body().path("attentionOrders").asInt()).isPositive();
        for (String dryRun : new String[] {"true", "false"}) {
            JsonNode outcome = operator.post(
                            "/attention:requeue",
                            "{\"ids\":[\"attended:late\"],\"dryRun\":" + dryRun + ",\"reason\":\"try\"}")
                    .body();
            assertThat(outcome.path("refused").asInt()).as("%s", outcome).isOne();
            assertThat(outcome.path("orders").get(0).path("result").asText()).isEqualTo("refused");
            assertThat(outcome.path("orders").get(0).path("why").asText()).contains("expired");
        }
        await().atMost(Duration.ofSeconds(30)).until(this::isAlarmed);
        assertThat(trader.order("late")).isEqualTo(failed);
        assertThat(operator.post("/attention:requeue", "{\"all\":true,\"reason\":\"try\"}")
                        .status())
                .isEqualTo(422);
    }
}
