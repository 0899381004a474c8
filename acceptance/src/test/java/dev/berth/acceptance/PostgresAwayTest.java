package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who is served does not need PostgreSQL; what must be kept for good waits for it. */
@ExtendWith(OnTheStack.class)
class PostgresAwayTest {
    private static final Duration SOON = Duration.ofSeconds(40);

    private final Stack stack;
    private final RedisKeyspace redis;

    PostgresAwayTest(Stack stack) {
        this.stack = stack;
        this.redis = RedisKeyspace.of(stack);
    }

    @AfterEach
    void comesBack() throws IOException, InterruptedException {
        stack.berth("up");
        Venue.of(stack).reset();
    }

    @Test
    @DisplayName(
            "E9 while PostgreSQL is away orders are filled, and leave the count of active ones; X9 a kill switch is"
                    + " answered with 503, which says to repeat it; when it is back all is there")
    void ordersGoOn() throws Exception {
        Trader trader = Eventually.trading(stack, "pg-away");
        Operator operator = Operator.of(stack);
        Venue venue = Venue.of(stack);
        // So slow that the order writes that it was sent before it hears that it is filled.
        venue.delay(2_000);
        String body = "{\"level\":\"user\",\"userId\":\"pg-nobody\",\"on\":true,\"reason\":\"a test\"}";
        stack.process("postgres").kill();
        trader.submit(NewOrder.market("away", "AAPL", "buy", "1").json());
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(venue.arrivals(trader))
                        .extracting(Venue.Arrival::clientOrderId)
                        .containsExactly("warm", "away"));
        await().atMost(SOON).until(() -> redis.sorted("orders:active:pg-away").isEmpty());
        Rest.Answer refused = operator.put("/kill-switch", body);
        assertThat(refused.status()).as("%s", refused.body()).isEqualTo(503);
        assertThat(refused.text("type")).isEqualTo("urn:berth:problem:unavailable");

        stack.berth("up");
        assertThat(Eventually.order(trader, "away", "FILLED", SOON)
                        .path("attempts")
                        .asInt())
                .isEqualTo(1);
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(operator.put("/kill-switch", body).status()).isEqualTo(200));
        operator.killSwitch("user:pg-nobody", false);
    }
}
