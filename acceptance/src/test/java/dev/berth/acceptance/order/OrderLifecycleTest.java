package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueLog;
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
        JsonNode contract = answer.body();
        assertThat(contract.propertyStream().map(field -> field.getKey())).containsAll(FIELDS);
        PlacedOrder order = answer.as(PlacedOrder.class);
        assertThat(order.status()).isEqualTo("FILLED");
        assertThat(order.reason()).isNull();
        assertThat(requireText(contract, "quantity")).isEqualTo("2.5");
        assertThat(requireText(contract, "filledQuantity")).isEqualTo("2.5");
        assertThat(requireText(contract, "averagePrice")).isEqualTo("100.01");
        assertThat(requireText(contract, "dispatchWithin")).isEqualTo("PT2M");
        assertThat(order.attempts()).isEqualTo(1);
        assertThat(order.workerEpoch()).isPositive();
        assertThat(order.account().accountId()).isEqualTo("paper");
        List<Instant> times = new ArrayList<>();
        for (String field : List.of("submittedAt", "dispatchedAt", "acknowledgedAt", "finalAt")) {
            assertThat(requireText(contract, field)).endsWith("Z");
            times.add(Instant.parse(requireText(contract, field)));
        }
        assertThat(times).isSorted();
        List<VenueLog.Order> accepted = venue.accepted(trader, "market");
        assertThat(accepted).hasSize(1);
        assertThat(requireText(contract, "venueOrderId"))
                .isEqualTo(accepted.getFirst().id());
        assertThat(trader.get("/v1/orders/market").body()).isEqualTo(contract);
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
        PlacedOrder dispatched = Eventually.order(trader, "later", "DISPATCHED", TIMEOUT);
        assertThat(dispatched.dispatchedAt()).isAfter(dispatched.submittedAt());
        assertThat(dispatched.acknowledgedAt()).isNull();
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
        return trader.get("/v1/orders?status=" + status).page(PlacedOrder.class).items().stream()
                .anyMatch(order -> order.clientOrderId().equals(id) && order.isIn(status));
    }

    @Test
    @DisplayName("A limit order rests as NEW and fills by the venue's push when the quote crosses")
    void limitOrderFillsByPush() throws Exception {
        JsonResponse answer = trader.submit(OrderBody.limit("rests", "MSFT", "buy", "3", "90"), 60);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("status")).isEqualTo("NEW");
        assertThat(answer.as(PlacedOrder.class).finalAt()).isNull();
        // After the second delayed check the next one follows 8 s later.
        temporal.awaitCompleted("order:life:rests", "checkOrder", 2, TIMEOUT);
        venue.quote("MSFT", "89.50", "89.90");
        PlacedOrder filled = Eventually.order(trader, "rests", "FILLED", TIMEOUT);
        assertThat(temporal.count("order:life:rests", "checkOrder"))
                .as("no look-up after the second")
                .isEqualTo(2);
        assertThat(filled.averagePrice()).isEqualTo("89.9");
        assertThat(filled.limitPrice()).isEqualTo("90");
    }

    @Test
    @Tag("D11")
    @DisplayName("The event log shows a partial fill and the rest in order")
    void partialFillsAreLogged() throws Exception {
        trader.submit(OrderBody.limit("parts", "NVDA", "buy", "10", "95"), 60);
        venue.quote("NVDA", "94", "94.5", 4);
        PlacedOrder part = Eventually.order(trader, "parts", "PARTIALLY_FILLED", TIMEOUT);
        assertThat(part.filledQuantity()).isEqualTo("4");
        assertThat(part.averagePrice()).isEqualTo("94.5");
        venue.quote("NVDA", "93", "93.5");
        PlacedOrder filled = Eventually.order(trader, "parts", "FILLED", TIMEOUT);
        assertThat(filled.averagePrice()).isEqualTo("93.9");
        // The read model follows the answer.
        List<PlacedOrder> steps =
                await().until(() -> trader.steps("parts"), log -> log.stream().anyMatch(step -> step.isIn("FILLED")));
        assertThat(steps)
                .extracting(PlacedOrder::status)
                .containsExactly("PENDING", "DISPATCHED", "NEW", "PARTIALLY_FILLED", "FILLED");
        assertThat(steps).extracting(PlacedOrder::filledQuantity).containsExactly("0", "0", "0", "4", "10");
    }

    @Test
    @DisplayName("A cancel ends a resting order; a second cancel and a filled order change nothing")
    void cancelEndsRestingOrder() throws Exception {
        trader.submit(OrderBody.limit("cancel", "TSLA", "buy", "1", "50"), 60);
        Eventually.canceled(trader, "cancel", TIMEOUT);
        assertThat(requireText(trader.get("/v1/orders/cancel").body(), "finalAt"))
                .endsWith("Z");
        assertThat(venue.accepted(trader, "cancel").getFirst().status()).isEqualTo("canceled");
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
