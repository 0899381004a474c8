package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StackExtension.class)
class OrderLifecycleTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** The fields of the contract; a field that does not apply is null. */
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

    OrderLifecycleTest(Stack stack) throws Exception {
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
    @DisplayName("A market order is 201 and FILLED, with every field of the contract")
    void marketOrderFills() throws Exception {
        JsonResponse answer = trader.submit(OrderBody.market("market", "AAPL", "buy", "2.50"), 60);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
        assertThat(answer.raw().headers().firstValue("Location")).hasValue("/v1/orders/market");
        JsonNode order = answer.body();
        assertThat(order.propertyStream().map(field -> field.getKey())).containsAll(FIELDS);
        assertThat(order.path("status").asText()).isEqualTo("FILLED");
        assertThat(order.path("reason").isNull()).isTrue();
        assertThat(requireText(order, "quantity")).isEqualTo("2.5");
        assertThat(requireText(order, "filledQuantity")).isEqualTo("2.5");
        assertThat(requireText(order, "averagePrice")).isEqualTo("100.01");
        assertThat(requireText(order, "dispatchWithin")).isEqualTo("PT2M");
        assertThat(order.path("attempts").asInt()).isEqualTo(1);
        assertThat(order.path("workerEpoch").asLong()).isPositive();
        assertThat(order.path("account").path("accountId").asText()).isEqualTo("paper");
        List<Instant> times = new ArrayList<>();
        for (String field : List.of("submittedAt", "dispatchedAt", "acknowledgedAt", "finalAt")) {
            assertThat(requireText(order, field)).endsWith("Z");
            times.add(Instant.parse(requireText(order, field)));
        }
        assertThat(times).isSorted();
        List<JsonNode> accepted = venue.accepted(trader, "market");
        assertThat(accepted).hasSize(1);
        assertThat(requireText(order, "venueOrderId"))
                .isEqualTo(accepted.getFirst().path("id").asText());
        assertThat(trader.order("market")).isEqualTo(order);
    }

    @Test
    @Tag("E5")
    @DisplayName("An order without wait is 202 and PENDING, then DISPATCHED, then FILLED")
    void orderWithoutWaitIs202() throws Exception {
        venue.hold();
        JsonResponse answer =
                trader.submit(OrderBody.market("later", "AAPL", "buy", "1").json());
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
        assertThat(answer.text("status")).isEqualTo("PENDING");
        JsonNode dispatched = Eventually.order(trader, "later", "DISPATCHED", TIMEOUT);
        assertThat(Instant.parse(requireText(dispatched, "dispatchedAt")))
                .isAfter(Instant.parse(requireText(dispatched, "submittedAt")));
        assertThat(dispatched.path("acknowledgedAt").isNull()).isTrue();
        assertThat(venue.accepted(trader, "later")).isEmpty();
        venue.reset();
        Eventually.order(trader, "later", "FILLED", TIMEOUT);
    }

    @Test
    @Tag("E5")
    @DisplayName("A list filtered by status shows an order in a worker's hand as DISPATCHED only")
    void dispatchedOrderIsListedByStatus() throws Exception {
        venue.hold();
        trader.submit(OrderBody.market("in-hand", "AAPL", "buy", "1").json());
        // An order whose activity answers too slowly is listed as the read model stores it.
        await().until(() -> isListed("in-hand", "DISPATCHED") && !isListed("in-hand", "PENDING"));
        venue.reset();
        Eventually.order(trader, "in-hand", "FILLED", TIMEOUT);
        assertThat(isListed("in-hand", "DISPATCHED")).isFalse();
    }

    private boolean isListed(String id, String status) throws Exception {
        return trader.get("/v1/orders?status=" + status)
                .body()
                .path("items")
                .valueStream()
                .anyMatch(order -> order.path("clientOrderId").asText().equals(id)
                        && order.path("status").asText().equals(status));
    }

    @Test
    @DisplayName("A limit order rests as NEW and fills by the venue's push when the quote crosses")
    void limitOrderFillsByPush() throws Exception {
        JsonResponse answer = trader.submit(OrderBody.limit("rests", "MSFT", "buy", "3", "90"), 60);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("status")).isEqualTo("NEW");
        assertThat(answer.body().path("finalAt").isNull()).isTrue();
        // After the second delayed check the next one follows 8 s later.
        temporal.awaitCompleted("order:life:rests", "checkOrder", 2, TIMEOUT);
        venue.quote("MSFT", "89.50", "89.90");
        JsonNode filled = Eventually.order(trader, "rests", "FILLED", TIMEOUT);
        assertThat(temporal.count("order:life:rests", "checkOrder"))
                .as("no look-up after the second")
                .isEqualTo(2);
        assertThat(requireText(filled, "averagePrice")).isEqualTo("89.9");
        assertThat(requireText(filled, "limitPrice")).isEqualTo("90");
    }

    @Test
    @Tag("D11")
    @DisplayName("The event log shows a partial fill and the rest in order")
    void partialFillsAreLogged() throws Exception {
        trader.submit(OrderBody.limit("parts", "NVDA", "buy", "10", "95"), 60);
        venue.quote("NVDA", "94", "94.5", 4);
        JsonNode part = Eventually.order(trader, "parts", "PARTIALLY_FILLED", TIMEOUT);
        assertThat(requireText(part, "filledQuantity")).isEqualTo("4");
        assertThat(requireText(part, "averagePrice")).isEqualTo("94.5");
        venue.quote("NVDA", "93", "93.5");
        JsonNode filled = Eventually.order(trader, "parts", "FILLED", TIMEOUT);
        assertThat(requireText(filled, "averagePrice")).isEqualTo("93.9");
        // The read model follows the answer.
        JsonNode events = await().until(
                        () -> trader.get("/v1/orders/parts/events").body(),
                        log -> log.findValuesAsText("status").contains("FILLED"));
        assertThat(events.findValuesAsText("status"))
                .containsExactly("PENDING", "DISPATCHED", "NEW", "PARTIALLY_FILLED", "FILLED");
        assertThat(events.findValuesAsText("filledQuantity")).containsExactly("0", "0", "0", "4", "10");
    }

    @Test
    @DisplayName("A cancel ends a resting order; a second cancel and a filled order change nothing")
    void cancelEndsRestingOrder() throws Exception {
        trader.submit(OrderBody.limit("cancel", "TSLA", "buy", "1", "50"), 60);
        JsonNode canceled = Eventually.canceled(trader, "cancel", TIMEOUT);
        assertThat(requireText(canceled, "finalAt")).endsWith("Z");
        assertThat(venue.accepted(trader, "cancel").getFirst().path("status").asText())
                .isEqualTo("canceled");
        JsonResponse repeated = trader.delete("/v1/orders/cancel");
        assertThat(repeated.status()).as("%s", repeated.body()).isEqualTo(200);
        assertThat(repeated.text("status")).isEqualTo("CANCELED");
        trader.submit(OrderBody.market("done", "TSLA", "buy", "1"), 60);
        JsonResponse late = trader.delete("/v1/orders/done");
        assertThat(late.status()).isEqualTo(200);
        assertThat(late.text("status")).isEqualTo("FILLED");
    }

    @Test
    @Tag("E12")
    @DisplayName("An order that the venue refuses is REJECTED with a broker reason")
    void venueRefusalIsRejected() throws Exception {
        JsonResponse tooDear = trader.submit(OrderBody.market("dear", "AAPL", "buy", "1000000"), 60);
        assertThat(tooDear.status()).isEqualTo(201);
        assertThat(tooDear.text("status")).isEqualTo("REJECTED");
        assertThat(tooDear.text("reason"))
                .startsWith("broker: refused-40310000: ")
                .contains("buying power");
        assertThat(venue.accepted(trader, "dear")).isEmpty();
    }

    private static String requireText(JsonNode order, String field) {
        assertThat(order.path(field).isTextual())
                .as("%s is a string in %s", field, order)
                .isTrue();
        return order.path(field).asText();
    }
}
