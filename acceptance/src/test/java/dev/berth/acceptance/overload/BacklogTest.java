package dev.berth.acceptance.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Gatherers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fifteen orders fill the admission ceiling while no worker can start. */
@Tag("long")
@ExtendWith(StackExtension.class)
class BacklogTest {
    private static final int CEILING = 15;
    private static final Duration VENUE_DELAY = Duration.ofMillis(200);

    private static final Duration DRAINED = Duration.ofSeconds(90);

    private final Stack stack;
    private final Stack narrow;
    private final Venue venue;
    private final EcsApi ecs;
    private final RedisKeyspace redis;
    private final LocalProcess api;
    private final List<Trader> traders = new ArrayList<>();

    BacklogTest(Stack stack) {
        this.stack = stack;
        this.narrow =
                stack.with(Map.of("BERTH_POOL_TARGET", "0", "BERTH_ADMISSION_MAX_ACTIVE", Integer.toString(CEILING)));
        this.venue = Venue.of(stack);
        this.ecs = EcsApi.of(stack);
        this.redis = RedisKeyspace.of(stack);
        this.api = stack.process("api");
    }

    @BeforeEach
    void removePoolAndHosts() throws Exception {
        api.kill();
        narrow.berth("up");
        Eventually.noActiveOrders(stack);
        Eventually.emptyPool(stack);
        venue.delay(Math.toIntExact(VENUE_DELAY.toMillis()));
        for (String user : List.of("proof-1", "proof-2", "proof-3")) {
            traders.add(stack.trader(user));
        }
    }

    @AfterEach
    void restoreStack() throws Exception {
        ecs.hosts(2);
        venue.reset();
        api.kill();
        stack.berth("up");
        Eventually.idlePool(RedisKeyspace.of(stack));
    }

    @Test
    @Tag("E14")
    @Tag("E9")
    @DisplayName("A full backlog survives an API kill, then drains one order at a time per user")
    void backlogDrainsAfterApiRestart() throws Exception {
        for (int number = 1; number <= CEILING / 3; number++) {
            for (Trader trader : traders) {
                assertThat(submit(trader, "o-" + number).status()).isEqualTo(202);
            }
        }
        RestClient.JsonResponse refused = submit(traders.getFirst(), "one-too-many");
        assertThat(refused.status()).as("%s", refused.body()).isEqualTo(429);
        assertThat(refused.raw().headers().firstValueAsLong("Retry-After").orElse(0))
                .isBetween(1L, 60L);
        for (Trader trader : traders) {
            for (int number = 1; number <= CEILING / 3; number++) {
                assertThat(trader.order("o-" + number).status()).isEqualTo("PENDING");
            }
            assertThat(venue.arrivals(trader)).isEmpty();
        }
        api.kill();
        ecs.hosts(1);
        narrow.berth("up");
        // Reads only the venue, so that no request wakes the orders.
        await().atMost(DRAINED).untilAsserted(() -> assertThat(submissions()).isEqualTo(CEILING));
        for (Trader trader : traders) {
            assertThat(venue.arrivals(trader))
                    .extracting(Venue.Arrival::clientOrderId)
                    .containsExactlyInAnyOrder("o-1", "o-2", "o-3", "o-4", "o-5");
            assertOneAtATime(trader);
            for (int number = 1; number <= CEILING / 3; number++) {
                Eventually.order(trader, "o-" + number, "FILLED", DRAINED);
            }
        }
        await().atMost(DRAINED)
                .untilAsserted(() -> assertThat(redis.size("orders:active")).isZero());
    }

    private static RestClient.JsonResponse submit(Trader trader, String id) throws IOException, InterruptedException {
        return trader.submit(OrderBody.market(id, "AAPL", "buy", "1")
                .within(Duration.ofMinutes(10))
                .json());
    }

    private int submissions() throws IOException, InterruptedException {
        int submissions = 0;
        for (Trader trader : traders) {
            submissions += venue.arrivals(trader).size();
        }
        return submissions;
    }

    /** The worker takes the next order only after the venue's delayed answer. */
    private void assertOneAtATime(Trader trader) throws IOException, InterruptedException {
        venue.arrivals(trader).stream()
                .map(Venue.Arrival::time)
                .sorted(Comparator.naturalOrder())
                .gather(Gatherers.windowSliding(2))
                .forEach(pair -> assertThat(Duration.between(pair.getFirst(), pair.getLast()))
                        .isGreaterThanOrEqualTo(VENUE_DELAY));
    }
}
