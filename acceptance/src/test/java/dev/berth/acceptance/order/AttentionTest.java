package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RequeueReport;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

    private record AttendedOrder(
            String id,
            String code,
            boolean requeueable,
            @Nullable String notRequeueableBecause) {}

    private List<AttendedOrder> attended() throws Exception {
        return operator.get("/attention?kind=order&userId=attended")
                .page(AttendedOrder.class)
                .items();
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
    void expiredOrderNeedsAttention() throws Exception {
        operator.tell("/workers/attended:suspend", "a test");
        trader.submit(OrderBody.market("late", "AAPL", "buy", "1")
                .within(Duration.ofSeconds(1))
                .json());
        PlacedOrder failed = Eventually.order(trader, "late", "FAILED", Duration.ofSeconds(30));
        assertThat(failed.reason()).startsWith("capacity: not-taken: ");
        // The list is written beside the hot path, so it may follow the answer by a moment.
        await().atMost(Duration.ofSeconds(30)).until(() -> !attended().isEmpty());
        List<AttendedOrder> items = attended();
        assertThat(items).hasSize(1);
        AttendedOrder item = items.getFirst();
        assertThat(item.id()).isEqualTo("attended:late");
        assertThat(item.code()).isEqualTo("not-taken");
        assertThat(item.requeueable()).isFalse();
        assertThat(item.notRequeueableBecause()).contains("expired");
        assertThat(operator.fleet().attentionOrders()).isPositive();
        for (String dryRun : new String[] {"true", "false"}) {
            RequeueReport outcome = operator.post(
                            "/attention:requeue",
                            "{\"ids\":[\"attended:late\"],\"dryRun\":" + dryRun + ",\"reason\":\"try\"}")
                    .as(RequeueReport.class);
            assertThat(outcome.refused()).as("%s", outcome).isOne();
            assertThat(outcome.orders().getFirst().result()).isEqualTo("refused");
            assertThat(outcome.orders().getFirst().why()).contains("expired");
        }
        await().atMost(Duration.ofSeconds(30)).until(this::isAlarmed);
        assertThat(trader.order("late")).isEqualTo(failed);
        assertThat(operator.post("/attention:requeue", "{\"all\":true,\"reason\":\"try\"}")
                        .status())
                .isEqualTo(422);
    }
}
