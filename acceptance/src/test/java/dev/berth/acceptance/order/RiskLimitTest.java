package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StackExtension.class)
class RiskLimitTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** Longer than the 0.5 s for which the gate trusts the check at admission. */
    private static final Duration CHECK_EXPIRED = Duration.ofSeconds(1);

    private final Stack stack;
    private final Venue venue;
    private FleetOperator operator;

    RiskLimitTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @BeforeEach
    void signIn() throws Exception {
        operator = FleetOperator.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    private Trader limited(String user, String limits) throws Exception {
        JsonResponse answer = operator.put("/limits/" + user + "/alpaca/equity/paper/paper", limits);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return stack.trader(user);
    }

    private static void assertRefused(Trader trader, OrderBody order, String limit) throws Exception {
        JsonResponse answer = trader.submit(order, 0);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(422);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:risk-limit");
        assertThat(answer.text("detail")).contains(limit);
    }

    @Test
    @Tag("X10")
    @DisplayName("Quantity, notional and price collar of an account apply before an order is accepted")
    void limitsApplyAtAdmission() throws Exception {
        Trader trader = limited("risk-terms", "{\"maxQuantity\":50,\"maxNotional\":\"3000\",\"priceCollar\":0.05}");
        await().atMost(TIMEOUT)
                .until(() -> trader.submit(OrderBody.market("first", "AAPL", "buy", "1"), 0)
                                .status()
                        < 300);
        assertRefused(trader, OrderBody.market("many", "AAPL", "buy", "51"), "maxQuantity");
        assertRefused(trader, OrderBody.market("dear", "AAPL", "buy", "30"), "maxNotional");
        assertRefused(trader, OrderBody.limit("far", "AAPL", "buy", "1", "106"), "priceCollar");
        assertThat(trader.submit(OrderBody.limit("near", "AAPL", "buy", "1", "104"), 30)
                        .text("status"))
                .isEqualTo("FILLED");
        limited("risk-terms", "{}");
        assertThat(trader.submit(OrderBody.market("unlimited", "AAPL", "buy", "60"), 60)
                        .text("status"))
                .isEqualTo("FILLED");
        assertThat(operator.get("/limits/risk-terms/alpaca/equity/paper/paper")
                        .body()
                        .has("maxQuantity"))
                .isFalse();
    }

    @Test
    @Tag("X10")
    @DisplayName("Orders above the account's rate are 429 with Retry-After; an equal submit does not count")
    void orderRateIsLimited() throws Exception {
        Trader trader = limited("risk-rate", "{\"ordersPerSecond\":1}");
        FleetOperator.of(stack).tell("/workers/risk-rate:suspend", "keep its orders waiting");
        long began = System.nanoTime();
        String first = OrderBody.market("o-0", "AAPL", "buy", "1").json();
        assertThat(trader.submit(first).status()).isEqualTo(202);
        List<JsonResponse> answers = submitConcurrently(trader, 20);
        assertThat(trader.submit(first).status()).isEqualTo(200);

        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        List<JsonResponse> refused =
                answers.stream().filter(answer -> answer.status() != 202).toList();
        assertThat(answers.size() - refused.size()).isLessThanOrEqualTo(Math.toIntExact(seconds) + 1);
        assertThat(refused).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.text("type")).isEqualTo("urn:berth:problem:order-rate");
            assertThat(answer.raw().headers().firstValue("Retry-After")).contains("1");
        });
        await().atMost(TIMEOUT)
                .until(() -> trader.submit(OrderBody.market("later", "AAPL", "buy", "1")
                                        .json())
                                .status()
                        == 202);
    }

    private static List<JsonResponse> submitConcurrently(Trader trader, int orders) throws Exception {
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonResponse>> asked = IntStream.rangeClosed(1, orders)
                    .mapToObj(order -> clients.submit(() -> trader.submit(
                            OrderBody.market("o-" + order, "AAPL", "buy", "1").json())))
                    .toList();
            List<JsonResponse> answers = new ArrayList<>();
            for (Future<JsonResponse> answer : asked) {
                answers.add(answer.get());
            }
            return answers;
        }
    }

    @Test
    @Tag("X10")
    @DisplayName("The gate checks a waiting order again, since limits and quotes may have changed")
    void limitsApplyAtGate() throws Exception {
        Trader trader = limited("risk-gate", "{\"maxNotional\":\"3000\"}");
        FleetOperator.of(stack).tell("/workers/risk-gate:suspend", "keep its orders waiting");
        await().atMost(TIMEOUT)
                .until(() -> trader.submit(OrderBody.market("dearer", "NVDA", "buy", "20"), 0)
                                .status()
                        < 300);
        venue.quote("NVDA", "199.9", "200.1");
        await().atMost(TIMEOUT)
                .until(() -> RedisKeyspace.of(stack)
                        .hash("quotes")
                        .getOrDefault("NVDA", "")
                        .contains("200.1"));
        assertRefused(trader, OrderBody.market("too-dear-now", "NVDA", "buy", "20"), "maxNotional");
        Instant submitted = trader.order("dearer").submittedAt();
        await().until(() -> Instant.now().isAfter(submitted.plus(CHECK_EXPIRED)));
        FleetOperator.of(stack).tell("/workers/risk-gate:resume", "the test continues");
        assertThat(Eventually.order(trader, "dearer", "FAILED", TIMEOUT).reason())
                .startsWith("risk: limit: The order is worth 4002");
        assertThat(venue.arrivals(trader)).isEmpty();
    }
}
