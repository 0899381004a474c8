package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A frozen worker on a host that can not be reached: nothing proves that it will never send. */
@Order(1)
@ExtendWith(OnTheStack.class)
class UnstoppableWorkerTest {
    /** Its mark runs out after 30 s, then 28 s more until it surely has no lease; if Redis is young, a minute more. */
    private static final Duration FENCED = Duration.ofSeconds(150);

    /** Longer than it takes until they can be sent again. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final Duration SOON = Duration.ofSeconds(20);

    private final Stack stack;
    private final Venue venue;
    private final Ecs ecs;
    private final List<Long> frozen = new ArrayList<>();

    UnstoppableWorkerTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = Ecs.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
        ecs.faults("{}");
        for (long pid : frozen) {
            if (Processes.lives(pid)) {
                Processes.signal(pid, "KILL");
            }
        }
        ecs.stopAgain();
    }

    /** The first worker of a user, frozen for good: a host that can not be reached. */
    private JsonNode freeze(Trader trader) throws Exception {
        JsonNode worker = trader.worker();
        long pid = worker.path("pid").asLong();
        frozen.add(pid);
        Processes.signal(pid, "STOP");
        return worker;
    }

    private JsonNode fenced(Trader trader, JsonNode before) {
        long epoch = before.path("epoch").asLong();
        JsonNode after = Eventually.activeWorker(trader, epoch + 1, FENCED);
        assertThat(after.path("unproven")).hasSize(1);
        assertThat(after.path("unproven").path(0).path("epoch").asLong()).isEqualTo(epoch);
        assertThat(after.path("unproven").path(0).path("taskArn")).isEqualTo(before.path("taskArn"));
        return after;
    }

    private void thaw(Trader trader, JsonNode before) throws Exception {
        long pid = before.path("pid").asLong();
        Processes.signal(pid, "CONT");
        Eventually.ended(pid, SOON);
        await().atMost(SOON).until(() -> trader.worker().path("unproven").isEmpty());
    }

    /** Filled once, by the second of two attempts. */
    private void assertSentAgain(Trader trader, String id, JsonNode after) throws Exception {
        JsonNode order = Eventually.order(trader, id, "FILLED", Duration.ofSeconds(45));
        assertThat(order.path("workerEpoch")).isEqualTo(after.path("epoch"));
        assertThat(order.path("attempts").asInt()).isEqualTo(2);
        assertThat(venue.accepted(trader, id)).hasSize(1);
    }

    private void assertArrived(Trader trader, String... orders) throws Exception {
        assertThat(venue.arrivals(trader))
                .extracting(arrival -> arrival.clientOrderId() + "@" + arrival.epoch())
                .containsExactly(orders);
    }

    @Test
    @DisplayName(
            "X2 a worker that can not be stopped is fenced: the next one serves other orders, the one in hand stays"
                    + " UNKNOWN (X3) until the first is gone; thawed, it sends nothing and ends itself")
    void fencedUntilItIsGone() throws Exception {
        Trader trader = Eventually.trading(stack, "unstoppable");
        Trader taken = Eventually.trading(stack, "unstoppable-before-gate");
        // It reaches the venue, which never books it; but nobody knows that.
        venue.faults("{\"hang\":1.0}");
        trader.submit(NewOrder.market("hand", "AAPL", "buy", "1").within(LONG).json());
        Eventually.arrivals(venue, trader, 2);
        ecs.faults("{\"ignoreStop\":true}");
        JsonNode before = freeze(trader);
        venue.reset();
        trader.submit(NewOrder.market("other", "AAPL", "buy", "1").json());
        // The frozen process has asked for an order, and is given it: it has not come to the gate.
        JsonNode beforeGate = freeze(taken);
        taken.submit(NewOrder.market("gate", "AAPL", "buy", "1").within(LONG).json());

        JsonNode after = fenced(trader, before);
        JsonNode afterGate = fenced(taken, beforeGate);
        JsonNode other = Eventually.order(trader, "other", "FILLED", SOON);
        assertThat(other.path("workerEpoch")).isEqualTo(after.path("epoch"));
        // Longer than the settle time after which absence would count; who left that state does not come back to it.
        await().pollDelay(Duration.ofSeconds(14))
                .atMost(Duration.ofSeconds(45))
                .untilAsserted(() -> assertThat(List.of(trader.order("hand"), taken.order("gate")))
                        .extracting(order -> order.path("status").asText())
                        .containsOnly("UNKNOWN"));

        thaw(trader, before);
        thaw(taken, beforeGate);
        assertSentAgain(trader, "hand", after);
        assertSentAgain(taken, "gate", afterGate);
        long epoch = before.path("epoch").asLong();
        long next = after.path("epoch").asLong();
        assertArrived(trader, "warm@" + epoch, "hand@" + epoch, "other@" + next, "hand@" + next);
        assertArrived(
                taken,
                "warm@" + beforeGate.path("epoch").asLong(),
                "gate@" + afterGate.path("epoch").asLong());
        assertThat(trader.worker().path("pid")).isEqualTo(after.path("pid"));
    }
}
