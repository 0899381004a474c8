package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Three workers of one slot, a ceiling of 15, and nobody to take an order until all 15 wait. */
@ExtendWith(OnTheStack.class)
class ProofRunTest {
    private static final int CEILING = 15;
    private static final Duration VENUE = Duration.ofMillis(200);

    private static final Duration DRAINED = Duration.ofSeconds(90);

    private final Stack stack;
    private final Stack narrow;
    private final Venue venue;
    private final Ecs ecs;
    private final RedisKeyspace keys;
    private final LocalProcess api;
    private final List<Trader> traders = new ArrayList<>();

    ProofRunTest(Stack stack) {
        this.stack = stack;
        this.narrow =
                stack.with(Map.of("BERTH_POOL_TARGET", "0", "BERTH_ADMISSION_MAX_ACTIVE", Integer.toString(CEILING)));
        this.venue = Venue.of(stack);
        this.ecs = Ecs.of(stack);
        this.keys = RedisKeyspace.of(stack);
        this.api = stack.process("api");
    }

    @BeforeEach
    void noPoolAndNoHost() throws Exception {
        api.kill();
        narrow.berth("up");
        Eventually.nothingWaits(stack);
        Eventually.emptyPool(stack);
        venue.delay(Math.toIntExact(VENUE.toMillis()));
        for (String user : List.of("proof-1", "proof-2", "proof-3")) {
            traders.add(stack.trader(user));
        }
    }

    @AfterEach
    void asItWas() throws Exception {
        ecs.hosts(2);
        venue.reset();
        api.kill();
        stack.berth("up");
    }

    @Test
    @DisplayName(
            "E14 15 orders wait while no worker can be, the 16th gets 429; the API is killed and comes back; then all"
                    + " are filled with no request, one at a time for each user, and E9 the count is 0 again")
    void proofRun() throws Exception {
        for (int number = 1; number <= CEILING / 3; number++) {
            for (Trader trader : traders) {
                assertThat(submit(trader, "o-" + number).status()).isEqualTo(202);
            }
        }
        Rest.Answer refused = submit(traders.getFirst(), "one-too-many");
        assertThat(refused.status()).as("%s", refused.body()).isEqualTo(429);
        assertThat(refused.raw().headers().firstValueAsLong("Retry-After").orElse(0))
                .isBetween(1L, 60L);
        for (Trader trader : traders) {
            for (int number = 1; number <= CEILING / 3; number++) {
                assertThat(trader.order("o-" + number).path("status").asText()).isEqualTo("PENDING");
            }
            assertThat(venue.arrivals(trader)).isEmpty();
        }
        api.kill();
        ecs.hosts(1);
        narrow.berth("up");
        // Nobody asks for anything: what the venue has is asked of the venue.
        await().atMost(DRAINED).untilAsserted(() -> assertThat(sent()).isEqualTo(CEILING));
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
                .untilAsserted(() -> assertThat(keys.size("orders:active")).isZero());
    }

    private static Rest.Answer submit(Trader trader, String id) throws IOException, InterruptedException {
        return trader.submit(NewOrder.market(id, "AAPL", "buy", "1")
                .within(Duration.ofMinutes(10))
                .json());
    }

    private int sent() throws IOException, InterruptedException {
        int sent = 0;
        for (Trader trader : traders) {
            sent += venue.arrivals(trader).size();
        }
        return sent;
    }

    /** The venue answers after a while, and only then the worker takes the next. */
    private void assertOneAtATime(Trader trader) throws IOException, InterruptedException {
        venue.arrivals(trader).stream()
                .map(Venue.Arrival::time)
                .sorted(Comparator.naturalOrder())
                .gather(Gatherers.windowSliding(2))
                .forEach(pair -> assertThat(Duration.between(pair.getFirst(), pair.getLast()))
                        .isGreaterThanOrEqualTo(VENUE));
    }
}
