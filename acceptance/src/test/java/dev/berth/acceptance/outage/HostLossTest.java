package dev.berth.acceptance.outage;

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
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker's host is lost, or ECS deregisters it while its processes run on. */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class HostLossTest {
    private static final Logger LOG = LoggerFactory.getLogger(HostLossTest.class);
    /**
     * The goal is 35 s: 30 s until the heartbeat key expires, then the ping and the next start. The
     * margin is for a busy machine; a lease counted from the ping would take 58 s.
     */
    private static final Duration REPLACED = Duration.ofSeconds(55);

    private static final Duration NOTICED_LATE = Duration.ofMinutes(1);
    /** A missing key in a younger Redis proves no death. */
    private static final Duration REDIS_UPTIME = Duration.ofSeconds(62);

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int HOSTS = 2;

    private final Stack stack;
    private final Venue venue;
    private final EcsApi ecs;
    private String host = "";

    HostLossTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = EcsApi.of(stack);
    }

    @BeforeEach
    void awaitRedisUptime() {
        RedisKeyspace redis = RedisKeyspace.of(stack);
        await().atMost(REDIS_UPTIME.multipliedBy(2)).until(() -> redis.uptime().compareTo(REDIS_UPTIME) > 0);
    }

    /** Also ends the processes that run on without ECS. */
    @AfterEach
    void replaceHost() throws Exception {
        venue.reset();
        if (!host.isEmpty()) {
            ecs.terminate(host, Duration.ZERO);
        }
        ecs.hosts(HOSTS);
        Eventually.poolOfNewestRevision(stack);
    }

    private Worker claimedWorker(Trader trader) throws Exception {
        Worker worker = trader.worker();
        host = ecs.hostOf(worker.taskId());
        return worker;
    }

    private PlacedOrder awaitFilledOnce(Trader trader, String id) throws Exception {
        PlacedOrder order = Eventually.order(trader, id, "FILLED", TIMEOUT);
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsOnlyOnce(id);
        return order;
    }

    @Test
    @Tag("A13")
    @Tag("X2")
    @Tag("X22")
    @DisplayName("A worker on a lost host is replaced by heartbeat expiry while ECS still reports it")
    void lostHostIsReplacedByHeartbeatExpiry() throws Exception {
        Trader trader = Eventually.trading(stack, "host-lost");
        Worker before = claimedWorker(trader);
        Instant since = Instant.now();
        ecs.terminate(host, NOTICED_LATE);
        Eventually.ended(before.pid(), TIMEOUT);
        trader.submit(OrderBody.market("waits", "AAPL", "buy", "1").json());

        // Waits longer than the goal, so that a failure reports the time it took.
        Worker after = Eventually.successor(trader, before, NOTICED_LATE.plus(TIMEOUT));
        Duration took = Duration.between(since, Instant.now());
        LOG.warn("ACTIVE again {} ms after the loss of the host", took.toMillis());
        assertThat(ecs.hostOf(after.taskId())).isNotEqualTo(host);
        assertThat(awaitFilledOnce(trader, "waits").workerEpoch()).isEqualTo(after.epoch());
        stack.berth("verify", "--user", trader.user());
        assertThat(took).isLessThan(REPLACED);
    }

    @Test
    @Tag("X2")
    @DisplayName("A STOPPED task on a deregistered host is not confirmed dead, and no order is sent twice")
    void deregisteredTaskIsNotConfirmedDead() throws Exception {
        Trader trader = Eventually.trading(stack, "host-deregistered");
        Worker before = claimedWorker(trader);
        venue.delay(3_000);
        trader.submit(OrderBody.market("hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, trader, 2);
        ecs.deregister(host);
        assertThat(ecs.isStopped(before.taskId())).isTrue();
        assertThat(Processes.lives(before.pid())).isTrue();
        venue.delay(0);

        long epoch = before.epoch();
        Eventually.activeWorker(trader, epoch + 1, NOTICED_LATE);
        trader.submit(OrderBody.market("next", "AAPL", "buy", "1").json());
        assertThat(awaitFilledOnce(trader, "next").workerEpoch()).isGreaterThan(epoch);
        await().during(Duration.ofSeconds(3))
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(trader.worker().unproven())
                        .extracting(Worker.UnconfirmedStop::epoch)
                        .contains(epoch));
        awaitFilledOnce(trader, "hand");
        stack.berth("verify", "--user", trader.user());
    }
}
