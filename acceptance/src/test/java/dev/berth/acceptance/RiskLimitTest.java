package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.Rest.Answer;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTheStack.class)
class RiskLimitTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Longer than the half second for which its admission's look is good enough for the gate. */
    private static final Duration LOOK_IS_OLD = Duration.ofSeconds(1);

    private final Stack stack;
    private final Venue venue;
    private Operator operator;

    RiskLimitTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @BeforeEach
    void anOperator() throws Exception {
        operator = Operator.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    private Trader limited(String user, String limits) throws Exception {
        Answer answer = operator.put("/limits/" + user + "/alpaca/equity/paper/paper", limits);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return stack.trader(user);
    }

    private static void isRefused(Trader trader, NewOrder order, String because) throws Exception {
        Answer answer = trader.submit(order, 0);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(422);
        assertThat(answer.text("type")).isEqualTo("urn:berth:problem:risk-limit");
        assertThat(answer.text("detail")).contains(because);
    }

    @Test
    @DisplayName("X10 quantity, notional and price collar of an account are checked before an order is accepted")
    void preTrade() throws Exception {
        Trader trader = limited("risk-terms", "{\"maxQuantity\":50,\"maxNotional\":\"3000\",\"priceCollar\":0.05}");
        await().atMost(SOON)
                .until(() -> trader.submit(NewOrder.market("first", "AAPL", "buy", "1"), 0)
                                .status()
                        < 300);
        isRefused(trader, NewOrder.market("many", "AAPL", "buy", "51"), "maxQuantity");
        isRefused(trader, NewOrder.market("dear", "AAPL", "buy", "30"), "maxNotional");
        isRefused(trader, NewOrder.limit("far", "AAPL", "buy", "1", "106"), "priceCollar");
        assertThat(trader.submit(NewOrder.limit("near", "AAPL", "buy", "1", "104"), 30)
                        .text("status"))
                .isEqualTo("FILLED");
        limited("risk-terms", "{}");
        assertThat(trader.submit(NewOrder.market("unlimited", "AAPL", "buy", "60"), 20)
                        .text("status"))
                .isEqualTo("FILLED");
        assertThat(operator.get("/limits/risk-terms/alpaca/equity/paper/paper")
                        .body()
                        .has("maxQuantity"))
                .isFalse();
    }

    @Test
    @DisplayName("X10 more orders a second than the account may: 429 with Retry-After; an equal submit is none of them")
    void rate() throws Exception {
        Trader trader = limited("risk-rate", "{\"ordersPerSecond\":1}");
        Operator.of(stack).tell("/workers/risk-rate:suspend", "its orders shall wait");
        long began = System.nanoTime();
        String first = NewOrder.market("o-0", "AAPL", "buy", "1").json();
        assertThat(trader.submit(first).status()).isEqualTo(202);
        List<Answer> answers = atOnce(trader, 20);
        assertThat(trader.submit(first).status()).isEqualTo(200);

        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        List<Answer> refused =
                answers.stream().filter(answer -> answer.status() != 202).toList();
        assertThat(answers.size() - refused.size()).isLessThanOrEqualTo(Math.toIntExact(seconds) + 1);
        assertThat(refused).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.text("type")).isEqualTo("urn:berth:problem:order-rate");
            assertThat(answer.raw().headers().firstValue("Retry-After")).contains("1");
        });
        await().atMost(SOON)
                .until(() -> trader.submit(NewOrder.market("later", "AAPL", "buy", "1")
                                        .json())
                                .status()
                        == 202);
    }

    private static List<Answer> atOnce(Trader trader, int orders) throws Exception {
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> asked = IntStream.rangeClosed(1, orders)
                    .mapToObj(order -> clients.submit(() -> trader.submit(
                            NewOrder.market("o-" + order, "AAPL", "buy", "1").json())))
                    .toList();
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> answer : asked) {
                answers.add(answer.get());
            }
            return answers;
        }
    }

    @Test
    @DisplayName("X10 an order that waits is looked at again before it is sent: limits and quotes may have changed")
    void atTheGate() throws Exception {
        Trader trader = limited("risk-gate", "{\"maxNotional\":\"3000\"}");
        Operator.of(stack).tell("/workers/risk-gate:suspend", "its orders shall wait");
        await().atMost(SOON)
                .until(() -> trader.submit(NewOrder.market("dearer", "NVDA", "buy", "20"), 0)
                                .status()
                        < 300);
        venue.quote("NVDA", "199.9", "200.1");
        await().atMost(SOON)
                .until(() -> RedisKeyspace.of(stack)
                        .hash("quotes")
                        .getOrDefault("NVDA", "")
                        .contains("200.1"));
        isRefused(trader, NewOrder.market("too-dear-now", "NVDA", "buy", "20"), "maxNotional");
        Instant submitted =
                Instant.parse(trader.order("dearer").path("submittedAt").asText());
        await().until(() -> Instant.now().isAfter(submitted.plus(LOOK_IS_OLD)));
        Operator.of(stack).tell("/workers/risk-gate:resume", "enough");
        assertThat(Eventually.order(trader, "dearer", "FAILED", SOON)
                        .path("reason")
                        .asText())
                .startsWith("risk: limit: The order is worth 4002");
        assertThat(venue.arrivals(trader)).isEmpty();
    }
}
