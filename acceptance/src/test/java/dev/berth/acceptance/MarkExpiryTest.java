package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Workers that nothing but their mark gives away: one is frozen, of another's death the event is lost. */
@ExtendWith(OnTheStack.class)
class MarkExpiryTest {
    private static final Logger LOG = LoggerFactory.getLogger(MarkExpiryTest.class);
    /**
     * 30 s until the mark is gone, 1.5 s for the ping, 2 s between SIGTERM and SIGKILL, and two starts at once, beside
     * another stack. That it takes at most 35 s of a machine of its own is for {@code ./berth bench kills} to show.
     */
    private static final Duration LATEST = Duration.ofSeconds(45);
    /** A Redis that is younger proves nothing. */
    private static final Duration CERTAIN = Duration.ofSeconds(62);

    private static final Duration RECOVERY = Duration.ofSeconds(20);

    private final Stack stack;
    private final Venue venue;
    private final Ecs ecs;
    private final TemporalCli temporal;

    MarkExpiryTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = Ecs.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    @BeforeEach
    void noSweep() throws Exception {
        temporal.schedule("toggle", "--schedule-id", "maintenance", "--pause", "--reason", "marks alone shall tell");
        RedisKeyspace redis = RedisKeyspace.of(stack);
        await().atMost(CERTAIN.multipliedBy(2)).until(() -> redis.uptime().compareTo(CERTAIN) > 0);
    }

    @AfterEach
    void reset() throws Exception {
        temporal.schedule("toggle", "--schedule-id", "maintenance", "--unpause", "--reason", "the test is over");
        venue.reset();
        ecs.faults("{}");
    }

    @Test
    @DisplayName("A13 frozen in mid-order (X2), or dead without an event (X5): replaced soon by the mark alone;"
            + " what was in hand is found, what waited is served, nothing is sent twice")
    void foundByTheirMarks() throws Exception {
        Trader frozen = inMidOrder("mark-frozen");
        Trader unheard = inMidOrder("mark-unheard");
        JsonNode frozenBefore = frozen.worker();
        JsonNode unheardBefore = unheard.worker();
        ecs.faults("{\"dropEvents\":true}");
        Instant since = Instant.now();
        Processes.signal(frozenBefore.path("pid").asLong(), "STOP");
        Processes.signal(unheardBefore.path("pid").asLong(), "KILL");
        await().atMost(RECOVERY).until(() -> isStopped(unheardBefore));
        ecs.faults("{}");
        venue.delay(0);
        for (Trader trader : List.of(frozen, unheard)) {
            trader.submit(NewOrder.market("queue", "AAPL", "buy", "1").json());
        }
        JsonNode unheardAfter = replaced(unheard, unheardBefore, since, LATEST);
        JsonNode frozenAfter = replaced(frozen, frozenBefore, since, LATEST);
        Eventually.ended(frozenBefore.path("pid").asLong(), RECOVERY);
        assertThat(frozenAfter.path("unproven")).isEmpty();
        assertThat(isStopped(frozenBefore)).isTrue();
        for (Trader trader : List.of(frozen, unheard)) {
            JsonNode hand = Eventually.order(trader, "hand", "FILLED", RECOVERY);
            assertThat(hand.path("attempts").asInt()).isEqualTo(1);
            JsonNode queue = Eventually.order(trader, "queue", "FILLED", RECOVERY);
            assertThat(queue.path("attempts").asInt()).isEqualTo(1);
            assertThat(venue.arrivals(trader))
                    .extracting(Venue.Arrival::clientOrderId)
                    .containsExactly("warm", "hand", "queue");
            Eventually.tasks(UserTasks.of(stack), trader, 1, RECOVERY);
        }
        assertThat(unheardAfter.path("deaths").asInt()).isEqualTo(1);
    }

    private boolean isStopped(JsonNode worker) throws Exception {
        return ecs.isStopped(worker.path("taskArn").asText());
    }

    private JsonNode replaced(Trader trader, JsonNode before, Instant since, Duration latest) {
        Duration left = latest.minus(Duration.between(since, Instant.now()));
        JsonNode after = Eventually.activeWorker(trader, before.path("epoch").asLong() + 1, left);
        LOG.warn(
                "{}: ACTIVE again after {} ms",
                trader.user(),
                Duration.between(since, Instant.now()).toMillis());
        assertThat(after.path("pid").asLong()).isNotEqualTo(before.path("pid").asLong());
        return after;
    }

    /** A user whose worker has written an order that the venue answers late. */
    private Trader inMidOrder(String user) throws Exception {
        Trader trader = stack.trader(user);
        venue.delay(0);
        assertThat(trader.submit(NewOrder.market("warm", "AAPL", "buy", "1"), 20)
                        .text("status"))
                .isEqualTo("FILLED");
        // Longer than it takes to bring the other user this far, on a busy machine too.
        venue.delay(10_000);
        trader.submit(NewOrder.market("hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, trader, 2);
        return trader;
    }
}
