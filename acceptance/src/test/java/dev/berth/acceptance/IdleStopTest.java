package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers of a revision that is idle after a few seconds in place of 30 min. */
@ExtendWith(OnTheStack.class)
class IdleStopTest {
    private static final Duration IDLE = Duration.ofSeconds(5);
    /** The idle time, the round in which the worker notices it, and the closing. */
    private static final Duration GONE = Duration.ofSeconds(25);

    private static final Duration SOON = Duration.ofSeconds(20);

    /** One after the other they take longer than a worker takes to close. */
    private static final int RACES = 20;

    private final Stack stack;
    private final Venue venue;
    private final Ecs ecs;
    private final RedisKeyspace redis;
    private JsonNode usual;

    IdleStopTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = Ecs.of(stack);
        this.redis = RedisKeyspace.of(stack);
    }

    @BeforeEach
    void soonIdle() throws Exception {
        usual = ecs.define("BERTH_IDLE_AFTER", IDLE.toString());
        Eventually.renewedPool(stack);
    }

    @AfterEach
    void giveBack() throws Exception {
        venue.reset();
        ecs.register(usual);
        Eventually.renewedPool(stack);
    }

    @Test
    @DisplayName("A12 an idle worker ends itself with exit code 0; one whose order works at the venue stays; an order"
            + " that comes while a worker closes is filled once")
    void idleEnds() throws Exception {
        Trader idle = trading("idle-ends", NewOrder.market("one", "AAPL", "buy", "1"), "FILLED");
        JsonNode before = idle.worker();
        Trader working = trading("idle-works", NewOrder.limit("rests", "MSFT", "buy", "1", "90"), "NEW");
        JsonNode kept = working.worker();

        JsonNode ended = Eventually.worker(idle, "TERMINATED", GONE);
        assertThat(ended.path("reason").asText()).contains("no order for a while");
        Eventually.ended(before.path("pid").asLong(), SOON);
        assertThat(ecs.exitCode(before.path("taskArn").asText())).isZero();
        assertThat(redis.get("worker:active:idle-ends")).isEmpty();

        List<String> fired = new ArrayList<>(List.of("one"));
        fireAround(idle, fired);
        for (String id : fired) {
            Eventually.order(idle, id, "FILLED", SOON);
            assertThat(venue.accepted(idle, id)).hasSize(1);
        }
        assertThat(venue.arrivals(idle))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(fired);

        JsonNode still = working.worker();
        assertThat(still.path("state").asText()).isEqualTo("ACTIVE");
        assertThat(still.path("pid")).isEqualTo(kept.path("pid"));
        assertThat(working.delete("/v1/orders/rests").text("status")).isEqualTo("CANCELED");
    }

    /** Brings a worker back, then fires one order after the other from the moment at which it begins to close. */
    private static void fireAround(Trader trader, List<String> fired) throws Exception {
        fired.add("back");
        trader.submit(NewOrder.market("back", "AAPL", "buy", "1"), 20);
        await().atMost(GONE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> List.of("DRAINING", "TERMINATED")
                        .contains(trader.worker().path("state").asText()));
        for (int number = 1; number <= RACES; number++) {
            fired.add("fire-" + number);
            trader.submit(NewOrder.market("fire-" + number, "AAPL", "buy", "1").json());
        }
    }

    private Trader trading(String user, NewOrder order, String status) throws Exception {
        Trader trader = stack.trader(user);
        assertThat(trader.submit(order, 20).text("status")).isEqualTo(status);
        return trader;
    }
}
