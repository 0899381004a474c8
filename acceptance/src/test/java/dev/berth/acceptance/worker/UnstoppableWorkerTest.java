package dev.berth.acceptance.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A frozen worker on an unreachable host: ECS cannot confirm its stop. */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class UnstoppableWorkerTest {
    /**
     * The heartbeat key expires after 30 s and the lease 28 s later; a young Redis adds a minute.
     */
    private static final Duration FENCED = Duration.ofSeconds(150);

    /** Longer than the wait until the orders may be sent again. */
    private static final Duration LONG_DEADLINE = Duration.ofMinutes(10);

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Stack stack;
    private final Venue venue;
    private final EcsApi ecs;
    private final List<Long> frozen = new ArrayList<>();

    UnstoppableWorkerTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = EcsApi.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
        ecs.faults("{}");
        for (long pid : frozen) {
            Processes.signalIfAlive(pid, "KILL");
        }
        ecs.stopAgain();
    }

    /** Freezes the user's worker, as on an unreachable host. */
    private Worker freeze(Trader trader) throws Exception {
        Worker worker = trader.worker();
        long pid = worker.pid();
        frozen.add(pid);
        Processes.signal(pid, "STOP");
        return worker;
    }

    private Worker awaitSuccessor(Trader trader, Worker before) {
        long epoch = before.epoch();
        Worker after = Eventually.activeWorker(trader, epoch + 1, FENCED);
        assertThat(after.unproven()).hasSize(1);
        assertThat(after.unproven().getFirst().epoch()).isEqualTo(epoch);
        assertThat(after.unproven().getFirst().taskArn()).isEqualTo(before.taskArn());
        return after;
    }

    private void thawAndAwaitEnd(Trader trader, Worker before) throws Exception {
        long pid = before.pid();
        Processes.signal(pid, "CONT");
        Eventually.ended(pid, TIMEOUT);
        await().atMost(TIMEOUT).until(() -> trader.worker().unproven().isEmpty());
    }

    private void assertSentAgain(Trader trader, String id, Worker after) throws Exception {
        PlacedOrder order = Eventually.order(trader, id, "FILLED", Duration.ofSeconds(45));
        assertThat(order.workerEpoch()).isEqualTo(after.epoch());
        assertThat(order.attempts()).isEqualTo(2);
        assertThat(venue.accepted(trader, id)).hasSize(1);
    }

    private void assertArrived(Trader trader, String... orders) throws Exception {
        assertThat(venue.arrivals(trader))
                .extracting(arrival -> arrival.clientOrderId() + "@" + arrival.epoch())
                .containsExactly(orders);
    }

    @Test
    @Tag("X2")
    @Tag("X3")
    @DisplayName("An unstoppable worker is fenced; its order stays UNKNOWN until its end is confirmed")
    void unstoppableWorkerIsFenced() throws Exception {
        Trader trader = Eventually.trading(stack, "unstoppable");
        Trader beforeGateTrader = Eventually.trading(stack, "unstoppable-before-gate");
        // The order reaches the venue, which never books it.
        venue.faults("{\"hang\":1.0}");
        trader.submit(OrderBody.market("hand", "AAPL", "buy", "1")
                .within(LONG_DEADLINE)
                .json());
        Eventually.arrivals(venue, trader, 2);
        ecs.faults("{\"ignoreStop\":true}");
        Worker before = freeze(trader);
        venue.reset();
        trader.submit(OrderBody.market("other", "AAPL", "buy", "1")
                .within(LONG_DEADLINE)
                .json());
        // The frozen process polls, so it is given the order before the gate.
        Worker beforeGate = freeze(beforeGateTrader);
        beforeGateTrader.submit(OrderBody.market("gate", "AAPL", "buy", "1")
                .within(LONG_DEADLINE)
                .json());

        Worker after = awaitSuccessor(trader, before);
        Worker afterGate = awaitSuccessor(beforeGateTrader, beforeGate);
        PlacedOrder other = Eventually.order(trader, "other", "FILLED", TIMEOUT);
        assertThat(other.workerEpoch()).isEqualTo(after.epoch());
        // Longer than the settle time of two look-ups; an order never returns to UNKNOWN.
        await().pollDelay(Duration.ofSeconds(14))
                .atMost(Duration.ofSeconds(45))
                .untilAsserted(() -> assertThat(List.of(trader.order("hand"), beforeGateTrader.order("gate")))
                        .extracting(PlacedOrder::status)
                        .containsOnly("UNKNOWN"));

        thawAndAwaitEnd(trader, before);
        thawAndAwaitEnd(beforeGateTrader, beforeGate);
        assertSentAgain(trader, "hand", after);
        assertSentAgain(beforeGateTrader, "gate", afterGate);
        long epoch = before.epoch();
        long next = after.epoch();
        assertArrived(trader, "warm@" + epoch, "hand@" + epoch, "other@" + next, "hand@" + next);
        assertArrived(beforeGateTrader, "warm@" + beforeGate.epoch(), "gate@" + afterGate.epoch());
        assertThat(trader.worker().pid()).isEqualTo(after.pid());
    }
}
