package dev.berth.acceptance.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker dies or is stopped, with or without an order in hand. */
@ExtendWith(StackExtension.class)
class WorkerFaultTest {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerFaultTest.class);
    private static final Duration RECOVERY = Duration.ofSeconds(20);
    /** Includes a cold start beside those of the pool. */
    private static final Duration STARTED = Duration.ofSeconds(60);

    /** Two openSession attempts of 3 and 5 s, a ping, a stop and a cold start. */
    private static final Duration FROZEN = Duration.ofSeconds(40);

    private final Stack stack;
    private final Venue venue;
    private final TemporalCli temporal;

    WorkerFaultTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @Tag("A13")
    @Tag("E8")
    @Tag("X3")
    @DisplayName("A killed worker is replaced by its task event; its order is found, not sent again")
    void killedWorkerIsReplacedByEvent() throws Exception {
        Trader trader = warm("killed");
        Worker before = trader.worker();
        Eventually.fullPool(RedisKeyspace.of(stack));
        venue.hold(trader, "mid");
        Instant killed = Instant.now();
        Processes.signal(before.pid(), "KILL");
        venue.reset();
        Worker after = Eventually.successor(trader, before, RECOVERY);
        LOG.warn(
                "killed to ACTIVE: {} ms",
                Duration.between(killed, Instant.now()).toMillis());
        PlacedOrder order = Eventually.order(trader, "mid", "FILLED", RECOVERY);
        assertThat(order.attempts()).isEqualTo(1);
        assertThat(order.workerEpoch()).isEqualTo(after.epoch());
        assertThat(after.pid()).isNotEqualTo(before.pid());
        assertThat(after.deaths()).isEqualTo(1);
        assertThat(venue.arrivals(trader)).hasSize(2).last().satisfies(arrival -> {
            assertThat(arrival.clientOrderId()).isEqualTo("mid");
            assertThat(arrival.epoch()).isEqualTo(before.epoch());
        });
        assertThat(venue.accepted(trader, "mid")).hasSize(1);
        // NEW appears only when the look-up precedes the stream.
        await().untilAsserted(() -> assertStatuses(trader, "mid")
                .startsWith("PENDING", "UNKNOWN")
                .endsWith("FILLED")
                .hasSizeBetween(3, 4));
        Eventually.fills(trader, "mid", "1");
        // The first order of a session may fill before its stream is open.
        Eventually.fills(trader, "warm", "1");
    }

    @Test
    @Tag("A13")
    @Tag("X2")
    @DisplayName("A worker that freezes while it connects is replaced")
    void workerFrozenWhileConnectingIsReplaced() throws Exception {
        Trader trader = stack.trader("frozen-start");
        LocalProcess broker = stack.process("venue");
        Worker before;
        broker.freeze();
        try {
            assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
            before = Eventually.worker(trader, "CONNECTING", STARTED);
            Processes.signal(before.pid(), "STOP");
        } finally {
            broker.thaw();
        }
        Worker after = Eventually.successor(trader, before, FROZEN);
        assertThat(after.deaths()).isEqualTo(1);
        Eventually.ended(before.pid(), RECOVERY);
        var order = trader.submit(OrderBody.market("one", "AAPL", "buy", "1"), 60);
        assertThat(order.text("status")).isEqualTo("FILLED");
        assertThat(venue.arrivals(trader)).hasSize(1);
    }

    @Test
    @Tag("E8")
    @DisplayName("An order queued behind a killed worker is taken by the next one")
    void queuedOrderMovesToSuccessor() throws Exception {
        Trader trader = warm("queued");
        venue.delay(2_000);
        trader.submit(OrderBody.market("hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, trader, 2);
        trader.submit(OrderBody.market("queue", "AAPL", "buy", "1").json());
        Processes.signal(trader.worker().pid(), "KILL");
        venue.delay(0);
        PlacedOrder order = Eventually.order(trader, "queue", "FILLED", STARTED);
        assertThat(order.attempts()).isEqualTo(1);
        Eventually.order(trader, "hand", "FILLED", STARTED);
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "hand", "queue");
    }

    @Test
    @Tag("D9")
    @DisplayName("SIGTERM lets the order in hand finish, and the worker is replaced")
    void sigtermFinishesOrderInHand() throws Exception {
        Trader trader = warm("termed");
        Worker before = trader.worker();
        venue.delay(1_500);
        trader.submit(OrderBody.market("hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, trader, 2);
        Processes.signal(before.pid(), "TERM");
        PlacedOrder order = Eventually.order(trader, "hand", "FILLED", RECOVERY);
        assertThat(order.workerEpoch()).isEqualTo(before.epoch());
        // The read model follows the answer.
        await().untilAsserted(() -> assertStatuses(trader, "hand").containsExactly("PENDING", "DISPATCHED", "FILLED"));
        Eventually.ended(before.pid(), RECOVERY);
        Eventually.successor(trader, before, STARTED);
        assertThat(venue.arrivals(trader)).hasSize(2);
    }

    @Test
    @Tag("A8")
    @DisplayName("A stopped worker closes within seconds, and the next order starts another")
    void orderRestartsStoppedWorker() throws Exception {
        Trader trader = warm("stopped");
        Worker before = trader.worker();
        // An order that waited for a second asks for a worker until its workflow has the answer.
        await().untilAsserted(() -> assertStatuses(trader, "warm").contains("FILLED"));
        assertThat(trader.delete("/v1/worker").status()).isEqualTo(202);
        Eventually.ended(before.pid(), RECOVERY);
        Eventually.worker(trader, "TERMINATED", RECOVERY);
        var order = trader.submit(OrderBody.market("back", "AAPL", "buy", "1"), 60);
        assertThat(order.status()).isEqualTo(201);
        assertThat(order.text("status")).isEqualTo("FILLED");
        assertThat(order.as(PlacedOrder.class).workerEpoch()).isGreaterThan(before.epoch());
        assertThat(EcsApi.of(stack).exitCode(before.taskArn())).isZero();
    }

    @Test
    @Tag("E1")
    @Tag("D3")
    @Tag("E7")
    @DisplayName("A worker takes one order at a time, by priority, then by age")
    void ordersRunOneAtATimeByPriority() throws Exception {
        Trader trader = warm("single");
        String order = OrderBody.market("ID", "AAPL", "buy", "1").json();
        venue.hold();
        trader.submit(order.replace("ID", "hand"));
        Eventually.arrivals(venue, trader, 2);
        for (String id : List.of("b", "c", "d")) {
            trader.submit(order.replace("ID", id));
            // The answer shows that the order's first workflow task is done.
            assertThat(trader.order(id).status()).isEqualTo("PENDING");
        }
        trader.submit(order.replace("ID", "urgent").replace("{\"clientOrderId", "{\"priority\":1,\"clientOrderId"));
        temporal.awaitScheduled("order:fault-single:urgent", "submitOrder", RECOVERY);
        venue.delay(400);
        List<Venue.Arrival> arrivals = Eventually.arrivals(venue, trader, 6);
        assertThat(arrivals)
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "hand", "urgent", "b", "c", "d");
        for (int index = 3; index < arrivals.size(); index++) {
            assertThat(Duration.between(
                            arrivals.get(index - 1).time(), arrivals.get(index).time()))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(400));
        }
        Eventually.order(trader, "d", "FILLED", RECOVERY);
    }

    private Trader warm(String user) throws Exception {
        return Eventually.trading(stack, "fault-" + user);
    }

    /** Asserts on the statuses of all events of the order so far. */
    private static ListAssert<String> assertStatuses(Trader trader, String order)
            throws IOException, InterruptedException {
        return assertThat(trader.statuses(order));
    }
}
