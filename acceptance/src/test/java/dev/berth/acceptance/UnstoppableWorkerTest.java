package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A frozen worker on a host that can not be reached: nothing proves that it will never send. */
@ExtendWith(OnTheStack.class)
class UnstoppableWorkerTest {
    /** Its mark runs out after 30 s, then 28 s more until it surely has no lease. */
    private static final Duration FENCED = Duration.ofSeconds(75);

    private static final Duration SOON = Duration.ofSeconds(20);

    private final Stack stack;
    private final Venue venue;
    private final Ecs ecs;
    private long frozen;

    UnstoppableWorkerTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = Ecs.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
        ecs.faults("{}");
        if (frozen != 0 && Processes.lives(frozen)) {
            Processes.signal(frozen, "KILL");
        }
        ecs.stopAgain();
    }

    @Test
    @DisplayName(
            "X2 a worker that can not be stopped is fenced: the next one serves other orders, the one in hand stays"
                    + " UNKNOWN (X3) until the first is gone; thawed, it sends nothing and ends itself")
    void fencedUntilItIsGone() throws Exception {
        Trader trader = Eventually.trading(stack, "unstoppable");
        JsonNode before = trader.worker();
        long epoch = before.path("epoch").asLong();
        // It reaches the venue, which never books it; but nobody knows that.
        venue.faults("{\"hang\":1.0}");
        trader.submit(NewOrder.market("hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, trader, 2);
        ecs.faults("{\"ignoreStop\":true}");
        frozen = before.path("pid").asLong();
        Processes.signal(frozen, "STOP");
        venue.reset();
        trader.submit(NewOrder.market("other", "AAPL", "buy", "1").json());

        JsonNode after = Eventually.activeWorker(trader, epoch + 1, FENCED);
        assertThat(after.path("unproven")).hasSize(1);
        assertThat(after.path("unproven").path(0).path("epoch").asLong()).isEqualTo(epoch);
        assertThat(after.path("unproven").path(0).path("taskArn")).isEqualTo(before.path("taskArn"));
        JsonNode other = Eventually.order(trader, "other", "FILLED", SOON);
        assertThat(other.path("workerEpoch")).isEqualTo(after.path("epoch"));
        // Longer than the settle time after which absence would count.
        await().during(Duration.ofSeconds(14))
                .atMost(Duration.ofSeconds(16))
                .untilAsserted(() ->
                        assertThat(trader.order("hand").path("status").asText()).isEqualTo("UNKNOWN"));

        Processes.signal(frozen, "CONT");
        Eventually.ended(frozen, SOON);
        await().atMost(SOON).until(() -> trader.worker().path("unproven").isEmpty());
        JsonNode hand = Eventually.order(trader, "hand", "FILLED", Duration.ofSeconds(45));
        assertThat(hand.path("workerEpoch")).isEqualTo(after.path("epoch"));
        assertThat(hand.path("attempts").asInt()).isEqualTo(2);
        assertThat(venue.accepted(trader, "hand")).hasSize(1);
        assertThat(venue.arrivals(trader))
                .extracting(arrival -> arrival.clientOrderId() + "@" + arrival.epoch())
                .containsExactly(
                        "warm@" + epoch,
                        "hand@" + epoch,
                        "other@" + after.path("epoch").asLong(),
                        "hand@" + after.path("epoch").asLong());
        assertThat(trader.worker().path("pid")).isEqualTo(after.path("pid"));
    }
}
