package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Execution reports after an order's end are booked and raise attention. */
@ExtendWith(StackExtension.class)
class LateFillTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The order arrives after 60 s; the rest is for a busy machine. */
    private static final Duration ARRIVED = Duration.ofSeconds(90);

    private final Stack stack;
    private final Venue venue;
    private final TemporalCli temporal;

    LateFillTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @Tag("B4")
    @DisplayName("A late fill is booked and raises attention; a repeat changes nothing, a bust reverts it")
    void lateFillIsBooked() throws Exception {
        Trader trader = stack.trader("late-canceled");
        trader.submit(OrderBody.limit("rest", "SPY", "buy", "10", "90"), 60);
        trader.delete("/v1/orders/rest");
        String order = awaitEnd(trader, "rest", "CANCELED");

        String execution = venue.executeLate(order, "2", "90");
        PlacedOrder filled = awaitFilled(trader, "rest", "2");
        assertThat(filled.status()).isEqualTo("CANCELED");
        assertThat(filled.averagePrice()).isEqualTo("90");
        assertThat(filled.reason()).startsWith("broker: late-fill: ");
        awaitRuns(attention("late:late-canceled:rest"), 1);

        JsonNode events = trader.get("/v1/orders/rest/events").body();
        assertThat(venue.repeat(order)).isEqualTo(1);
        awaitRuns(completed("late:late-canceled:rest"), 2);
        assertThat(trader.order("rest")).isEqualTo(filled);
        assertThat(trader.get("/v1/orders/rest/events").body()).isEqualTo(events);
        awaitRuns(attention("late:late-canceled:rest"), 1);

        venue.bust(order, execution);
        PlacedOrder busted = awaitFilled(trader, "rest", "0");
        assertThat(busted.averagePrice()).isNull();
        assertThat(busted.reason()).startsWith("broker: bust: ");
        awaitRuns(attention("late:late-canceled:rest"), 2);
    }

    @Test
    @Tag("B4")
    @DisplayName("A late fill adds to the executions of an order that ended with its first answer")
    void lateFillAddsToImmediateExecutions() throws Exception {
        Trader trader = Eventually.trading(stack, "late-immediate");
        venue.quote("TSLA", "99", "100", 4);
        String immediate = OrderBody.market("part", "TSLA", "buy", "10").json().replace("\"day\"", "\"ioc\"");
        trader.submit(immediate, "Prefer", "wait=20");
        String order = awaitEnd(trader, "part", "CANCELED");
        assertThat(trader.order("part").filledQuantity()).isEqualTo("4");

        assertThat(venue.repeat(order)).isEqualTo(1);
        awaitRuns(completed("late:late-immediate:part"), 1);
        assertThat(temporal.ids(attention("late:late-immediate:part"))).isEmpty();

        venue.executeLate(order, "2", "103");
        PlacedOrder filled = awaitFilled(trader, "part", "6");
        assertThat(filled.averagePrice()).isEqualTo("101");
        assertThat(filled.reason()).startsWith("broker: late-fill: ");
    }

    @Test
    @Tag("X1")
    @DisplayName("An order that arrives after it was given up is canceled at the venue and raises attention")
    void lateArrivalIsCanceled() throws Exception {
        Trader trader = Eventually.trading(stack, "late-arrival");
        // The call times out after 15 s, and two look-ups until 25 s or later find nothing.
        venue.delay(40_000);
        trader.submit(OrderBody.limit("lost", "SPY", "buy", "10", "90"), 0);
        Eventually.arrivals(venue, trader, 2);
        trader.delete("/v1/orders/lost");
        PlacedOrder late = await().atMost(ARRIVED)
                .until(
                        () -> trader.order("lost"),
                        order -> Objects.requireNonNullElse(order.reason(), "").startsWith("broker: late-arrival: "));
        assertThat(late.status()).isEqualTo("CANCELED");
        await().atMost(PATIENCE)
                .until(() -> venue.accepted(trader, "lost").getFirst().status(), "canceled"::equals);
        awaitRuns(attention("late:late-arrival:lost"), 1);
    }

    /** Waits until the order and its workflow have ended, and returns the venue's order id. */
    private String awaitEnd(Trader trader, String id, String status) {
        PlacedOrder order = Eventually.order(trader, id, status, PATIENCE);
        temporal.awaitLast("order:" + trader.user() + ":" + id, "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", PATIENCE);
        return Objects.requireNonNull(order.venueOrderId());
    }

    private static PlacedOrder awaitFilled(Trader trader, String id, String quantity) {
        return await().atMost(PATIENCE)
                .until(() -> trader.order(id), order -> order.filledQuantity().equals(quantity));
    }

    private static String attention(String workflowId) {
        return "WorkflowId = '" + workflowId + "' AND BerthAttention = true";
    }

    private static String completed(String workflowId) {
        return "WorkflowId = '" + workflowId + "' AND ExecutionStatus = 'Completed'";
    }

    /** Waits, since visibility is eventually consistent. */
    private void awaitRuns(String query, int number) {
        await(query).atMost(PATIENCE).until(() -> temporal.ids(query).size() == number);
    }
}
