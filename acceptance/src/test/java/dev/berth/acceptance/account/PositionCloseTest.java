package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.HeldAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueAccounts;
import dev.berth.acceptance.stack.VenueLog;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Closes of positions, beside what the venue has. */
@Tag("T3")
@ExtendWith(StackExtension.class)
class PositionCloseTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Stack stack;
    private final Venue venue;
    private final VenueAccounts accounts;

    PositionCloseTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.accounts = VenueAccounts.of(stack);
    }

    /** A problem in an item. */
    private record ItemProblem(String type) {}

    private record Item(
            String symbol,
            @Nullable BigDecimal quantity,
            @Nullable PlacedOrder order,
            @Nullable ItemProblem problem,
            @Nullable String reason) {
        @Nullable
        String orderId() {
            return order == null ? null : order.clientOrderId();
        }
    }

    @AfterEach
    void resetVenue() throws Exception {
        venue.reset();
    }

    private static JsonResponse close(Trader trader, String body, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of("Authorization", trader.bearer(), "Prefer", "wait=60"));
        all.addAll(List.of(headers));
        return trader.api().call("POST", HeldAccount.PATH + "positions:close", body, all.toArray(String[]::new));
    }

    private static List<Item> closed(Trader trader, String body, String key) throws Exception {
        JsonResponse answer = close(trader, body, "Idempotency-Key", key);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return answer.list("items", Item.class);
    }

    private static void trade(Trader trader, String id, String symbol, String side, String quantity) throws Exception {
        assertThat(trader.submit(OrderBody.market(id, symbol, side, quantity), 60)
                        .text("status"))
                .isEqualTo("FILLED");
    }

    private static void stop(Trader trader, String id, String symbol, String quantity) throws Exception {
        JsonResponse answer = trader.submit("""
                {"clientOrderId":"%s","account":%s,"symbol":"%s","side":"sell","quantity":"%s","type":"stop",
                 "stopPrice":"50","timeInForce":"gtc"}""".formatted(id, Trader.ACCOUNT, symbol, quantity), "Prefer", "wait=60");
        assertThat(answer.text("status")).as("%s", answer.body()).isEqualTo("NEW");
    }

    private void assertFlat(Trader trader) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(accounts.of(trader).positions()).isEmpty());
    }

    /** Orders of closes that the venue accepted. */
    private List<VenueLog.Order> closesAtVenue(Trader trader) throws Exception {
        return VenueLog.of(stack).orders().stream()
                .filter(order -> order.account().equals(trader.user()))
                .filter(order -> order.clientOrderId().startsWith("close-"))
                .toList();
    }

    /** The venue refuses what would cross zero. */
    private void assertNoneRefused(Trader trader, int closes) throws Exception {
        assertThat(closesAtVenue(trader)).hasSize(closes);
        assertThat(venue.arrivals(trader))
                .filteredOn(arrival -> arrival.clientOrderId().startsWith("close-"))
                .hasSize(closes);
    }

    @Test
    @DisplayName("A share with a resting stop, a short position and crypto are closed in one call, once for the key")
    void closesEverything() throws Exception {
        Trader trader = Eventually.trading(stack, "close-all");
        trade(trader, "more", "AAPL", "buy", "4");
        stop(trader, "exit", "AAPL", "5");
        trade(trader, "short", "MSFT", "sell", "3");
        accounts.submit(trader, "by-hand-buy", "BTC/USD", "buy", "0.5", "61000");
        accounts.submit(trader, "by-hand-exit", "BTC/USD", "sell", "0.2", "90000");
        assertThat(accounts.of(trader).positions()).hasSize(3);

        List<Item> items = closed(trader, "{}", "all-1");
        assertThat(items)
                .extracting(Item::symbol, Item::problem, Item::reason)
                .containsExactlyInAnyOrder(
                        tuple("AAPL", null, null), tuple("MSFT", null, null), tuple("BTC/USD", null, null));
        assertThat(items).allSatisfy(item -> {
            PlacedOrder order = Objects.requireNonNull(item.order());
            assertThat(order.status()).isEqualTo("FILLED");
            assertThat(order.timeInForce()).isEqualToIgnoringCase(item.symbol().equals("BTC/USD") ? "gtc" : "day");
            assertThat(new BigDecimal(order.filledQuantity()))
                    .isEqualByComparingTo(
                            Objects.requireNonNull(item.quantity()).abs());
        });
        assertFlat(trader);
        assertNoneRefused(trader, 3);
        Eventually.order(trader, "exit", "CANCELED", TIMEOUT);
        assertThat(VenueLog.of(stack).orders())
                .filteredOn(order -> order.clientOrderId().equals("by-hand-exit"))
                .extracting(VenueLog.Order::status)
                .containsExactly("canceled");

        trade(trader, "again", "AAPL", "buy", "2");
        assertThat(closed(trader, "{}", "all-1"))
                .extracting(Item::orderId)
                .containsExactlyElementsOf(items.stream().map(Item::orderId).toList());
        JsonResponse other = close(trader, "{\"symbol\":\"AAPL\"}", "Idempotency-Key", "all-1");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.text("type")).endsWith("idempotency-key-reused");
        assertThat(close(trader, "{}").status()).isEqualTo(400);
        assertThat(accounts.of(trader).positions()).hasSize(1);
        assertThat(closed(trader, "{\"symbol\":\"TSLA\"}", "all-2"))
                .extracting(Item::orderId, Item::reason)
                .containsExactly(tuple(null, "The account has no such position."));
        assertThat(closed(trader, "{\"symbol\":\"AAPL\"}", "all-3")).hasSize(1);
        assertFlat(trader);
    }

    @Test
    @DisplayName("Two calls at once with different keys close each position once")
    void twoCallsAtOnce() throws Exception {
        Trader trader = Eventually.trading(stack, "close-twice");
        trade(trader, "short", "MSFT", "sell", "3");
        stop(trader, "exit", "AAPL", "1");
        // The first close has its orders in flight when the second one reads.
        venue.delay(3_000);
        List<List<Item>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Item>>> calls = IntStream.range(0, 2)
                    .mapToObj(number -> threads.submit(() -> closed(trader, "{}", "twice-" + number)))
                    .toList();
            for (Future<List<Item>> call : calls) {
                answers.add(call.get());
            }
        }
        assertThat(answers.stream().flatMap(List::stream).map(Item::orderId).filter(Objects::nonNull))
                .as("%s", answers)
                .hasSize(2);
        assertFlat(trader);
        assertNoneRefused(trader, 2);
    }

    @Test
    @DisplayName("A kill switch refuses a close and leaves the exits, unless the caller may set kill switches")
    void killSwitch() throws Exception {
        Trader trader = Eventually.trading(stack, "close-switch");
        stop(trader, "exit", "AAPL", "1");
        FleetOperator operator = FleetOperator.of(stack);
        Trader officer = new Trader(
                trader.api(), trader.user(), new Tokens(stack).sign(trader.user(), Tokens.TRADER + " risk:write"));
        operator.killSwitch("user:close-switch", true);
        try {
            assertThat(closed(trader, "{}", "switch-1"))
                    .extracting(Item::orderId, item -> item.problem())
                    .containsExactly(tuple(null, new ItemProblem("urn:berth:problem:kill-switch")));
            assertThat(trader.order("exit").status()).isEqualTo("NEW");
            assertThat(officer.submit(OrderBody.market("plain", "AAPL", "sell", "1"), 0)
                            .status())
                    .isEqualTo(403);
            List<Item> items = closed(officer, "{}", "switch-2");
            assertThat(items)
                    .extracting(item -> Objects.requireNonNull(item.order()).status())
                    .containsExactly("FILLED");
            assertFlat(trader);
        } finally {
            operator.killSwitch("user:close-switch", false);
        }
        assertThat(operator.get("/audit?userId=close-switch").raw().body()).contains("CLOSE_POSITIONS");
    }
}
