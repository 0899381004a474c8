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
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.UserTasks;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two workers, one frozen and one dead without an event, are found by their heartbeat keys. */
@ExtendWith(StackExtension.class)
class HeartbeatExpiryTest {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatExpiryTest.class);
    /**
     * 30 s until the heartbeat key expires, 1.5 s for the ping, 2 s between SIGTERM and SIGKILL,
     * and two starts beside another stack. {@code ./berth bench kills} measures the goal of 35 s.
     */
    private static final Duration REPLACED = Duration.ofSeconds(55);
    /** A missing key in a younger Redis proves no death. */
    private static final Duration REDIS_UPTIME = Duration.ofSeconds(62);

    private static final Duration RECOVERY = Duration.ofSeconds(20);

    private final Stack stack;
    private final Venue venue;
    private final EcsApi ecs;
    private final TemporalCli temporal;

    HeartbeatExpiryTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = EcsApi.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    @BeforeEach
    void pauseSweeps() throws Exception {
        temporal.schedule(
                "toggle",
                "--schedule-id",
                "maintenance",
                "--pause",
                "--reason",
                "only heartbeat expiry must find the workers");
        RedisKeyspace redis = RedisKeyspace.of(stack);
        await().atMost(REDIS_UPTIME.multipliedBy(2)).until(() -> redis.uptime().compareTo(REDIS_UPTIME) > 0);
    }

    @AfterEach
    void reset() throws Exception {
        temporal.schedule("toggle", "--schedule-id", "maintenance", "--unpause", "--reason", "the test is over");
        venue.reset();
        ecs.faults("{}");
    }

    @Test
    @Tag("A13")
    @Tag("X2")
    @Tag("X5")
    @DisplayName("A frozen or silently dead worker is replaced by heartbeat expiry; no order is sent twice")
    void expiredHeartbeatReplacesWorkers() throws Exception {
        Trader frozen = inMidOrder("expiry-frozen");
        Trader silent = inMidOrder("expiry-silent");
        Worker frozenBefore = frozen.worker();
        Worker silentBefore = silent.worker();
        ecs.faults("{\"dropEvents\":true}");
        Instant since = Instant.now();
        Processes.signal(frozenBefore.pid(), "STOP");
        Processes.signal(silentBefore.pid(), "KILL");
        await().atMost(RECOVERY).until(() -> isStopped(silentBefore));
        ecs.faults("{}");
        venue.delay(0);
        for (Trader trader : List.of(frozen, silent)) {
            trader.submit(OrderBody.market("queue", "AAPL", "buy", "1").json());
        }
        Worker silentAfter = replaced(silent, silentBefore, since, REPLACED);
        replaced(frozen, frozenBefore, since, REPLACED);
        Eventually.ended(frozenBefore.pid(), RECOVERY);
        // The successor starts when the lease ends, before ECS reports the stop.
        await().atMost(RECOVERY)
                .untilAsserted(() -> assertThat(frozen.worker().unproven()).isEmpty());
        assertThat(isStopped(frozenBefore)).isTrue();
        for (Trader trader : List.of(frozen, silent)) {
            PlacedOrder hand = Eventually.order(trader, "hand", "FILLED", RECOVERY);
            assertThat(hand.attempts()).isEqualTo(1);
            PlacedOrder queue = Eventually.order(trader, "queue", "FILLED", RECOVERY);
            assertThat(queue.attempts()).isEqualTo(1);
            assertThat(venue.arrivals(trader))
                    .extracting(Venue.Arrival::clientOrderId)
                    .containsExactly("warm", "hand", "queue");
            Eventually.tasks(UserTasks.of(stack), trader, 1, RECOVERY);
        }
        assertThat(silentAfter.deaths()).isEqualTo(1);
    }

    private boolean isStopped(Worker worker) throws Exception {
        return ecs.isStopped(worker.taskArn());
    }

    private Worker replaced(Trader trader, Worker before, Instant since, Duration latest) {
        Duration left = latest.minus(Duration.between(since, Instant.now()));
        Worker after = Eventually.successor(trader, before, left);
        LOG.warn(
                "{}: ACTIVE again after {} ms",
                trader.user(),
                Duration.between(since, Instant.now()).toMillis());
        assertThat(after.pid()).isNotEqualTo(before.pid());
        return after;
    }

    /** A user whose worker has sent an order that the venue answers late. */
    private Trader inMidOrder(String user) throws Exception {
        Trader trader = stack.trader(user);
        venue.delay(0);
        Eventually.filled(trader, "warm");
        // Longer than the other user's setup takes on a busy machine.
        venue.delay(10_000);
        trader.submit(OrderBody.market("hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, trader, 2);
        return trader;
    }
}
