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
class OrderLifeTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    /** Every field of the contract; what does not apply is null. */
    private static final List<String> FIELDS = List.of(
            "clientOrderId",
            "status",
            "reason",
            "filledQuantity",
            "averagePrice",
            "venueOrderId",
            "venueStatus",
            "submittedAt",
            "dispatchedAt",
            "acknowledgedAt",
            "finalAt",
            "attempts",
            "workerEpoch",
            "account",
            "symbol",
            "side",
            "type",
            "quantity",
            "timeInForce",
            "priority",
            "dispatchWithin");

    private final Venue venue;
    private final TemporalCli temporal;
    private final Trader trader;

    OrderLifeTest(Stack stack) throws Exception {
        this.venue = Venue.of(stack);
        this.temporal = new TemporalCli(stack);
        this.trader = stack.trader("life");
    }

    @BeforeEach
    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @DisplayName("A market order that waits for its answer is 201 and FILLED, with every field of the contract")
    void aMarketOrderFills() throws Exception {
        Answer answer = trader.submit(NewOrder.market("market", "AAPL", "buy", "2.50"), 20);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
        assertThat(answer.raw().headers().firstValue("Location")).hasValue("/v1/orders/market");
        JsonNode order = answer.body();
        assertThat(order.propertyStream().map(field -> field.getKey())).containsAll(FIELDS);
        assertThat(order.path("status").asText()).isEqualTo("FILLED");
        assertThat(order.path("reason").isNull()).isTrue();
        assertThat(textual(order, "quantity")).isEqualTo("2.5");
        assertThat(textual(order, "filledQuantity")).isEqualTo("2.5");
        assertThat(textual(order, "averagePrice")).isEqualTo("100.01");
        assertThat(textual(order, "dispatchWithin")).isEqualTo("PT2M");
        assertThat(order.path("attempts").asInt()).isEqualTo(1);
        assertThat(order.path("workerEpoch").asLong()).isPositive();
        assertThat(order.path("account").path("accountId").asText()).isEqualTo("paper");
        List<Instant> times = new ArrayList<>();
        for (String field : List.of("submittedAt", "dispatchedAt", "acknowledgedAt", "finalAt")) {
            assertThat(textual(order, field)).endsWith("Z");
            times.add(Instant.parse(textual(order, field)));
        }
        assertThat(times).isSorted();
        List<JsonNode> accepted = venue.accepted(trader, "market");
        assertThat(accepted).hasSize(1);
        assertThat(textual(order, "venueOrderId"))
                .isEqualTo(accepted.getFirst().path("id").asText());
        assertThat(trader.order("market")).isEqualTo(order);
    }

    @Test
    @DisplayName("E5 an order that does not wait is 202 and PENDING, DISPATCHED while a worker has it, then FILLED")
    void anOrderThatDoesNotWait() throws Exception {
        venue.hold();
        Answer answer =
                trader.submit(NewOrder.market("later", "AAPL", "buy", "1").json());
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
        assertThat(answer.text("status")).isEqualTo("PENDING");
        JsonNode dispatched = Eventually.order(trader, "later", "DISPATCHED", SOON);
        assertThat(Instant.parse(textual(dispatched, "dispatchedAt")))
                .isAfter(Instant.parse(textual(dispatched, "submittedAt")));
        assertThat(dispatched.path("acknowledgedAt").isNull()).isTrue();
        assertThat(venue.accepted(trader, "later")).isEmpty();
        venue.reset();
        Eventually.order(trader, "later", "FILLED", SOON);
    }

    @Test
    @DisplayName("E5 lists show an order as DISPATCHED too while a worker has it, and find it by that state alone")
    void listedWhileAWorkerHasIt() throws Exception {
        venue.hold();
        trader.submit(NewOrder.market("in-hand", "AAPL", "buy", "1").json());
        // Whoever is asked and is too slow is shown as the read model has it.
        await().until(() -> isListed("in-hand", "DISPATCHED") && !isListed("in-hand", "PENDING"));
        venue.reset();
        Eventually.order(trader, "in-hand", "FILLED", SOON);
        assertThat(isListed("in-hand", "DISPATCHED")).isFalse();
    }

    private boolean isListed(String id, String status) throws Exception {
        return trader.get("/v1/orders?status=" + status)
                .body()
                .path("orders")
                .valueStream()
                .anyMatch(order -> order.path("clientOrderId").asText().equals(id)
                        && order.path("status").asText().equals(status));
    }

    @Test
    @DisplayName("A limit order rests as NEW and fills once the quote crosses, pushed by the venue")
    void aLimitOrderRests() throws Exception {
        Answer answer = trader.submit(NewOrder.limit("rests", "MSFT", "buy", "3", "90"), 20);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("status")).isEqualTo("NEW");
        assertThat(answer.body().path("finalAt").isNull()).isTrue();
        // After the first delayed check the next is 4 s away.
        temporal.awaitActivity("order:life:rests", "findOrder", SOON);
        venue.quote("MSFT", "89.50", "89.90");
        JsonNode filled = Eventually.order(trader, "rests", "FILLED", SOON);
        assertThat(temporal.count("order:life:rests", "findOrder"))
                .as("nobody asked for it")
                .isEqualTo(1);
        assertThat(textual(filled, "averagePrice")).isEqualTo("89.9");
        assertThat(textual(filled, "limitPrice")).isEqualTo("90");
    }

    @Test
    @DisplayName("D11 a partial fill shows, the rest follows, and the event log tells every step in order")
    void aPartialFill() throws Exception {
        trader.submit(NewOrder.limit("parts", "NVDA", "buy", "10", "95"), 20);
        venue.quote("NVDA", "94", "94.5", 4);
        JsonNode part = Eventually.order(trader, "parts", "PARTIALLY_FILLED", SOON);
        assertThat(textual(part, "filledQuantity")).isEqualTo("4");
        assertThat(textual(part, "averagePrice")).isEqualTo("94.5");
        venue.quote("NVDA", "93", "93.5");
        JsonNode filled = Eventually.order(trader, "parts", "FILLED", SOON);
        assertThat(textual(filled, "averagePrice")).isEqualTo("93.9");
        // The answer is told before it is written.
        JsonNode events = await().until(
                        () -> trader.get("/v1/orders/parts/events").body(),
                        log -> log.findValuesAsText("status").contains("FILLED"));
        assertThat(events.findValuesAsText("status")).containsExactly("PENDING", "NEW", "PARTIALLY_FILLED", "FILLED");
        assertThat(events.findValuesAsText("filledQuantity")).containsExactly("0", "0", "4", "10");
    }

    @Test
    @DisplayName(
            "A cancel takes a resting order off the venue; a filled one stays FILLED and a second cancel changes nothing")
    void aCancel() throws Exception {
        trader.submit(NewOrder.limit("cancel", "TSLA", "buy", "1", "50"), 20);
        Answer canceled = trader.delete("/v1/orders/cancel");
        assertThat(canceled.status()).as("%s", canceled.body()).isEqualTo(200);
        assertThat(canceled.text("status")).isEqualTo("CANCELED");
        assertThat(canceled.text("finalAt")).endsWith("Z");
        assertThat(venue.accepted(trader, "cancel").getFirst().path("status").asText())
                .isEqualTo("canceled");
        assertThat(trader.delete("/v1/orders/cancel").text("status")).isEqualTo("CANCELED");
        trader.submit(NewOrder.market("done", "TSLA", "buy", "1"), 20);
        Answer late = trader.delete("/v1/orders/done");
        assertThat(late.status()).isEqualTo(200);
        assertThat(late.text("status")).isEqualTo("FILLED");
    }

    @Test
    @DisplayName("E12 an order that the venue refuses is REJECTED with a reason that begins with broker:")
    void aRefusedOrder() throws Exception {
        Answer tooDear = trader.submit(NewOrder.market("dear", "AAPL", "buy", "1000000"), 20);
        assertThat(tooDear.status()).isEqualTo(201);
        assertThat(tooDear.text("status")).isEqualTo("REJECTED");
        assertThat(tooDear.text("reason"))
                .startsWith("broker: refused-40310000: ")
                .contains("buying power");
        assertThat(venue.accepted(trader, "dear")).isEmpty();
    }

    private static String textual(JsonNode order, String field) {
        assertThat(order.path(field).isTextual())
                .as("%s is a string in %s", field, order)
                .isTrue();
        return order.path(field).asText();
    }
}
