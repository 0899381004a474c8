package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTheStack.class)
class HeldOrdersTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Stack stack;
    private final Venue venue;
    private final LocalProcess redis;

    HeldOrdersTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.redis = new LocalProcess(stack, "redis");
    }

    @AfterEach
    void giveBack() throws Exception {
        venue.reset();
        stack.berth("up");
    }

    @Test
    @DisplayName(
            "X9 while Redis is away nobody knows how the kill switch stands: orders that wait are held at the gate,"
                    + " and each is filled once when Redis is back (X6)")
    void heldWhileRedisIsAway() throws Exception {
        Trader trader = stack.trader("held-redis");
        assertThat(trader.submit(NewOrder.market("warm", "AAPL", "buy", "1"), 30)
                        .text("status"))
                .isEqualTo("FILLED");
        venue.delay(1_500);
        List<String> orders = List.of("q1", "q2", "q3");
        for (String order : orders) {
            assertThat(trader.submit(NewOrder.market(order, "AAPL", "buy", "1").json())
                            .status())
                    .isEqualTo(202);
        }
        Eventually.arrivals(venue, trader, 2);
        redis.kill();
        await().during(Duration.ofSeconds(8))
                .atMost(Duration.ofSeconds(12))
                .untilAsserted(() -> assertThat(venue.arrivals(trader)).hasSize(2));
        venue.delay(0);
        stack.berth("up");
        for (String order : orders) {
            Eventually.order(trader, order, "FILLED", SOON);
            assertThat(venue.accepted(trader, order)).hasSize(1);
        }
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrder("warm", "q1", "q2", "q3");
    }
}
