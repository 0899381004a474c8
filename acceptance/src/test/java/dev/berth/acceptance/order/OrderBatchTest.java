package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many orders in one call, beside what reached the venue. */
@Tag("T5")
@ExtendWith(StackExtension.class)
class OrderBatchTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Stack stack;
    private final Venue venue;

    OrderBatchTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    /** A problem in an item. */
    private record ItemProblem(String type, @Nullable Integer retryAfter) {
        String name() {
            return type.substring(type.lastIndexOf(':') + 1);
        }
    }

    private record Item(
            int index,
            @Nullable String clientOrderId,
            int status,
            @Nullable PlacedOrder order,
            @Nullable ItemProblem problem) {
        @Nullable
        String refusal() {
            return problem == null ? null : problem.name();
        }
    }

    private JsonResponse submit(Trader trader, String body, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of("Authorization", trader.bearer()));
        all.addAll(List.of(headers));
        return stack.api().call("POST", "/v1/orders:batch", body, all.toArray(String[]::new));
    }

    private static String batch(String... orders) {
        return "{\"orders\":[" + String.join(",", orders) + "]}";
    }

    private static String allOrNothing(String... orders) {
        return "{\"allOrNothing\":true,\"orders\":[" + String.join(",", orders) + "]}";
    }

    private static String buy(String id) {
        return OrderBody.market(id, "AAPL", "buy", "1").json();
    }

    private static String withoutId(String order) {
        return order.replaceFirst("\"clientOrderId\":\"[^\"]*\",", "");
    }

    private List<String> arrivals(Trader trader) throws Exception {
        return venue.arrivals(trader).stream().map(Venue.Arrival::clientOrderId).toList();
    }

    @Test
    @DisplayName("Each order of a batch has the answer that it would have alone, also when the batch is repeated")
    void ordersStandAlone() throws Exception {
        Trader trader = stack.trader("batch-alone");
        String body = batch(
                buy("one"),
                OrderBody.market("other-symbol", "NOPE", "buy", "1").json(),
                buy("one"),
                "null",
                "{\"clientOrderId\":\"empty\"}",
                buy(""),
                buy("odd").replace("\"day\"", "\"whenever\""),
                buy("nowhere").replace("\"broker\":\"alpaca\"", "\"broker\":\"\""),
                "7",
                buy("two").replace("\"1\"", "1.0"));
        JsonResponse answer = submit(trader, body);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        assertThat(answer.list("items", Item.class))
                .extracting(Item::clientOrderId, Item::status, Item::refusal)
                .containsExactly(
                        tuple("one", 202, null),
                        tuple("other-symbol", 422, "unknown-symbol"),
                        tuple("one", 409, "duplicate-client-order-id"),
                        tuple(null, 422, "invalid-order"),
                        tuple("empty", 422, "invalid-order"),
                        tuple(null, 422, "invalid-order"),
                        tuple("odd", 400, "malformed-json"),
                        tuple("nowhere", 400, "malformed-json"),
                        tuple(null, 400, "malformed-json"),
                        tuple("two", 202, null));
        assertThat(answer.list("items", Item.class))
                .extracting(Item::index)
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        Eventually.order(trader, "one", "FILLED", TIMEOUT);
        Eventually.order(trader, "two", "FILLED", TIMEOUT);
        assertThat(submit(trader, body).list("items", Item.class))
                .extracting(Item::status)
                .containsExactly(200, 422, 409, 422, 422, 422, 400, 400, 400, 200);
        assertThat(arrivals(trader)).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    @DisplayName("Under one Idempotency-Key a batch without ids is accepted once, and no other batch is")
    void keyCoversBatch() throws Exception {
        Trader trader = stack.trader("batch-key");
        String body = batch(withoutId(buy("x")), buy("named"), withoutId(buy("x")));
        for (int times = 1; times <= 2; times++) {
            int status = times == 1 ? 202 : 200;
            assertThat(submit(trader, body, "Idempotency-Key", "monday").list("items", Item.class))
                    .extracting(Item::clientOrderId, Item::status)
                    .containsExactly(tuple("monday-1", status), tuple("named", status), tuple("monday-3", status));
        }
        String other = withoutId(OrderBody.market("x", "AAPL", "buy", "2").json());
        for (String wrong : List.of(
                batch(other),
                batch(withoutId(buy("x")), buy("named")),
                batch(withoutId(buy("x")), buy("named"), withoutId(buy("x")), other),
                batch(buy("elsewhere")),
                batch("7"))) {
            JsonResponse answer = submit(trader, wrong, "Idempotency-Key", "monday");
            assertThat(answer.status()).as(wrong).isEqualTo(409);
            assertThat(answer.text("type")).endsWith("idempotency-key-reused");
        }
        assertThat(submit(stack.trader("batch-key-other"), batch(other), "Idempotency-Key", "monday")
                        .status())
                .isEqualTo(200);
        for (String wrong : List.of("", "no blank", "x".repeat(61))) {
            JsonResponse answer = submit(trader, batch(other), "Idempotency-Key", wrong);
            assertThat(answer.status()).as(wrong).isEqualTo(400);
            assertThat(answer.text("detail")).contains("Idempotency-Key is 1 to 60 characters");
        }
        for (String id : List.of("monday-1", "named", "monday-3")) {
            Eventually.order(trader, id, "FILLED", TIMEOUT);
        }
        assertThat(arrivals(trader)).containsExactlyInAnyOrder("monday-1", "named", "monday-3");
    }

    @Test
    @DisplayName("With allOrNothing one order that is refused, by form or by admission, lets none be accepted")
    void allOrNothing() throws Exception {
        Trader trader = stack.trader("batch-all");
        String elsewhere = buy("elsewhere").replace("\"accountId\":\"paper\"", "\"accountId\":\"nowhere\"");
        for (String refused : List.of(elsewhere, "{\"clientOrderId\":\"elsewhere\"}")) {
            JsonResponse answer = submit(trader, allOrNothing(buy("first"), refused, buy("last")));
            assertThat(answer.status()).isEqualTo(422);
            assertThat(answer.text("type")).endsWith("batch-refused");
            assertThat(answer.list("items", Item.class))
                    .extracting(Item::clientOrderId)
                    .containsExactly("elsewhere");
        }
        String unnamed = "{\"symbol\":\"AAPL\"}";
        JsonResponse unnamedRefused =
                submit(trader, allOrNothing(withoutId(buy("x")), unnamed), "Idempotency-Key", "tuesday");
        assertThat(unnamedRefused.list("items", Item.class))
                .extracting(Item::index, Item::clientOrderId)
                .containsExactly(tuple(1, "tuesday-2"));
        assertThat(submit(trader, allOrNothing(withoutId(buy("x"))), "Idempotency-Key", "tuesday")
                        .list("items", Item.class))
                .as("the key of a batch that was refused is free")
                .extracting(Item::clientOrderId, Item::status)
                .containsExactly(tuple("tuesday-1", 202));
        assertThat(trader.get("/v1/orders/first").status()).isEqualTo(404);
        assertThat(trader.get("/v1/orders/last").status()).isEqualTo(404);

        assertThat(submit(trader, allOrNothing(buy("first"), buy("last"))).list("items", Item.class))
                .extracting(Item::status)
                .containsExactly(202, 202);
        assertThat(submit(trader, allOrNothing(buy("first"), buy("last"))).list("items", Item.class))
                .extracting(Item::status)
                .containsExactly(200, 200);
        Eventually.order(trader, "first", "FILLED", TIMEOUT);
        Eventually.order(trader, "last", "FILLED", TIMEOUT);
        Eventually.order(trader, "tuesday-1", "FILLED", TIMEOUT);
        assertThat(arrivals(trader)).containsExactlyInAnyOrder("tuesday-1", "first", "last");
    }

    @Test
    @DisplayName("A hundred orders are submitted once each, those that admission refused by repeating the batch")
    void hundredAreSubmittedOnce() throws Exception {
        Trader trader = Eventually.trading(stack, "batch-hundred");
        String hundred = batch(ids().map(OrderBatchTest::buy).toArray(String[]::new));
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            List<Item> items = submit(trader, hundred).list("items", Item.class);
            assertThat(items).filteredOn(item -> item.status() >= 400).allSatisfy(item -> {
                assertThat(item.refusal()).isEqualTo("too-many-orders");
                assertThat(Objects.requireNonNull(item.problem()).retryAfter()).isBetween(1, 60);
            });
            assertThat(items).hasSize(100).allMatch(item -> item.status() < 300);
        });
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(arrivals(trader)).hasSize(101));
        assertThat(arrivals(trader)).doesNotHaveDuplicates().containsAll(ids().toList());
    }

    private static Stream<String> ids() {
        return IntStream.rangeClosed(1, 100).mapToObj(number -> "h-" + number);
    }

    @Test
    @DisplayName("A batch has 1 to 100 orders")
    void sizeIsBounded() throws Exception {
        Trader trader = stack.trader("batch-size");
        String tooMany = batch(Collections.nCopies(101, "{}").toArray(String[]::new));
        for (String wrong : List.of(batch(), "{}", tooMany)) {
            assertThat(submit(trader, wrong).text("type")).endsWith("invalid-batch");
        }
        assertThat(submit(trader, "{\"orders\":7}").status()).isEqualTo(400);
    }
}
