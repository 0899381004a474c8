package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueLog;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replaces an order before a worker takes it, at the venue, and after its end. */
@ExtendWith(StackExtension.class)
class ReplaceOrderTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Venue venue;
    private final FleetOperator operator;
    private final Trader trader;

    ReplaceOrderTest(Stack stack) throws Exception {
        this.venue = Venue.of(stack);
        this.operator = FleetOperator.of(stack);
        this.trader = stack.trader("replacer");
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @DisplayName("A waiting order is replaced without a worker and sent with its new terms only")
    void waitingOrderIsReplacedWithoutWorker() throws Exception {
        assertThat(operator.tell("/workers/replacer:suspend", "a test").status())
                .isEqualTo(202);
        Eventually.worker(trader, "SUSPENDED", TIMEOUT);
        assertThat(trader.submit(OrderBody.limit("waits", "AAPL", "buy", "1", "50")
                                .json())
                        .status())
                .isEqualTo(202);
        JsonResponse replaced = trader.replace("waits", "{\"quantity\":\"3\",\"limitPrice\":\"51.50\"}");
        assertThat(replaced.status()).as("%s", replaced.body()).isEqualTo(200);
        assertThat(replaced.text("status")).isEqualTo("PENDING");
        assertThat(replaced.text("quantity")).isEqualTo("3");
        assertThat(replaced.text("limitPrice")).isEqualTo("51.5");
        JsonResponse again = trader.replace("waits", "{\"quantity\":\"4\"}");
        assertThat(again.text("quantity")).isEqualTo("4");
        assertThat(again.text("limitPrice")).isEqualTo("51.5");
        assertThat(venue.accepted(trader, "waits")).isEmpty();
        assertThat(operator.tell("/workers/replacer:resume", "go on").status()).isEqualTo(202);
        Eventually.order(trader, "waits", "NEW", TIMEOUT);
        VenueLog.Order atVenue = venue.accepted(trader, "waits").getFirst();
        assertThat(atVenue.qty()).hasToString("4");
        assertThat(atVenue.limitPrice()).hasToString("51.5");
        assertThat(trader.submit(OrderBody.limit("waits", "AAPL", "buy", "1", "50")
                                .json())
                        .status())
                .as("a repeated submit of the order as it was submitted")
                .isEqualTo(200);
        trader.delete("/v1/orders/waits");
    }

    @Test
    @Tag("B4")
    @DisplayName("A working order is replaced at the venue under a new id, and its fills add up")
    void workingOrderIsReplacedAtVenue() throws Exception {
        operator.tell("/workers/replacer:resume", "go on");
        venue.quote("TSLA", "99", "100", 4);
        assertThat(trader.submit(OrderBody.limit("works", "TSLA", "buy", "10", "100"), 60)
                        .text("status"))
                .isEqualTo("PARTIALLY_FILLED");
        JsonResponse answer = trader.replace("works", "{\"quantity\":\"12\",\"limitPrice\":\"98\"}");
        assertThat(answer.status()).as("%s", answer.body()).isIn(200, 202);
        PlacedOrder replaced = Eventually.order(trader, "works", "PARTIALLY_FILLED", TIMEOUT);
        assertThat(replaced.quantity()).isEqualTo("12");
        assertThat(replaced.filledQuantity()).isEqualTo("4");
        VenueLog.Order next = venue.accepted(trader, "works.r1").getFirst();
        assertThat(next.qty()).hasToString("8");
        assertThat(next.limitPrice()).hasToString("98");
        venue.quote("TSLA", "97", "98", 100);
        PlacedOrder filled = Eventually.order(trader, "works", "FILLED", TIMEOUT);
        assertThat(filled.filledQuantity()).isEqualTo("12");
        assertThat(filled.averagePrice()).startsWith("98.66666");
        Eventually.fills(trader, "works", "12");
    }

    @Test
    @Tag("X3")
    @DisplayName("A replacement whose answer is lost is found by its id, not sent again")
    void lostReplaceAnswerIsFound() throws Exception {
        operator.tell("/workers/replacer:resume", "go on");
        assertThat(trader.submit(OrderBody.limit("dropped", "MSFT", "buy", "10", "90"), 60)
                        .text("status"))
                .isEqualTo("NEW");
        venue.faults("{\"dropAnswer\":1.0}");
        trader.replace("dropped", "{\"quantity\":\"7\"}");
        PlacedOrder after = Eventually.order(trader, "dropped", "NEW", TIMEOUT);
        venue.reset();
        assertThat(after.quantity()).isEqualTo("7");
        assertThat(venue.arrivals(trader))
                .filteredOn(arrival -> arrival.clientOrderId().startsWith("dropped.r"))
                .extracting(Venue.Arrival::verdict)
                .containsExactly("answerDropped");
        Eventually.canceled(trader, "dropped", TIMEOUT);
        assertThat(venue.accepted(trader, "dropped.r1").getFirst().status()).isEqualTo("canceled");
    }

    @Test
    @Tag("X9")
    @DisplayName("A kill switch refuses replacements with a reason; cancels pass")
    void killSwitchRefusesReplace() throws Exception {
        operator.tell("/workers/replacer:resume", "go on");
        assertThat(trader.submit(OrderBody.limit("stopped", "MSFT", "buy", "10", "90"), 60)
                        .text("status"))
                .isEqualTo("NEW");
        operator.killSwitch("user:replacer", true);
        try {
            JsonResponse refused = trader.replace("stopped", "{\"quantity\":\"70\"}");
            assertThat(refused.text("quantity")).as("%s", refused.body()).isEqualTo("10");
            assertThat(refused.text("reason")).startsWith("risk: kill-switch: ");
            Eventually.canceled(trader, "stopped", TIMEOUT);
        } finally {
            operator.killSwitch("user:replacer", false);
        }
    }

    @Test
    @DisplayName("A replacement after the order's end returns the order unchanged")
    void lateReplaceReturnsOrder() throws Exception {
        operator.tell("/workers/replacer:resume", "go on");
        Eventually.filled(trader, "done");
        JsonResponse late = trader.replace("done", "{\"quantity\":\"2\"}");
        assertThat(late.status()).isEqualTo(200);
        assertThat(late.text("status")).isEqualTo("FILLED");
        assertThat(late.text("quantity")).isEqualTo("1");
    }

    @Test
    @DisplayName("An invalid replacement is 422, an unknown order 404, and replacement ids are reserved")
    void invalidReplaceIsRefused() throws Exception {
        trader.submit(OrderBody.market("refuses", "AAPL", "buy", "1").json());
        for (String body :
                new String[] {"{}", "{\"quantity\":\"0\"}", "{\"limitPrice\":\"1\"}", "{\"quantity\":\"x\"}"}) {
            JsonResponse answer = trader.replace("refuses", body);
            assertThat(answer.status()).as(body).isEqualTo(422);
            assertThat(answer.text("type")).isEqualTo("urn:berth:problem:invalid-order");
        }
        assertThat(trader.replace("nowhere", "{\"quantity\":\"1\"}").status()).isEqualTo(404);
        assertThat(trader.replace("refuses", "{\"symbol\":\"SPY\"}").status()).isEqualTo(400);
        JsonResponse taken =
                trader.submit(OrderBody.market("first.r1", "AAPL", "buy", "1").json());
        assertThat(taken.status()).isEqualTo(422);
        assertThat(taken.text("detail")).contains("another id");
    }
}
