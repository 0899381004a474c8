package dev.berth.acceptance.pool;

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
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pool is empty, and no host has room. */
@ExtendWith(StackExtension.class)
class FleetCapacityTest {
    private static final Logger LOG = LoggerFactory.getLogger(FleetCapacityTest.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int HOSTS = 2;
    private static final String POOL = "{\"minimum\":0,\"target\":2,\"maximumLifetime\":\"PT12H\"}";

    private final Stack stack;
    private final Venue venue;
    private final EcsApi ecs;
    private final RedisKeyspace redis;
    private final TemporalCli temporal;

    FleetCapacityTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = EcsApi.of(stack);
        this.redis = RedisKeyspace.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    @BeforeEach
    void emptyPool() throws Exception {
        Eventually.emptyPool(stack);
    }

    @AfterEach
    void restoreHosts() throws Exception {
        venue.reset();
        ecs.hosts(HOSTS);
        // The pool found no room and would wait for up to 40 s.
        temporal.workflow("signal", "--workflow-id", "pool", "--name", "resize", "--input", POOL);
    }

    @Test
    @Tag("E3")
    @DisplayName("Without a worker an order fails with capacity at its deadline and is never sent")
    void orderWithoutWorkerFailsAtDeadline() throws Exception {
        Trader trader = stack.trader("cap-late");
        OrderBody order = OrderBody.market("late", "AAPL", "buy", "1").within(Duration.ofSeconds(4));
        assertThat(trader.submit(order.json()).status()).isEqualTo(202);
        PlacedOrder failed = Eventually.order(trader, "late", "FAILED", TIMEOUT);
        assertThat(failed.reason()).startsWith("capacity: not-taken: ").contains("PT4S");
        assertThat(Duration.between(failed.submittedAt(), failed.finalAt()))
                .isBetween(Duration.ofMillis(3_900), Duration.ofSeconds(15));
        assertThat(failed.dispatchedAt()).isNull();
        ecs.hosts(HOSTS);
        Eventually.activeWorker(trader, 1, TIMEOUT);
        assertThat(venue.arrivals(trader)).isEmpty();
    }

    @Test
    @Tag("A4")
    @Tag("A3")
    @DisplayName("An order waits while no host has room; its worker then starts cold")
    void orderWaitsForColdStart() throws Exception {
        Trader trader = stack.trader("cap-cold");
        trader.submit(OrderBody.market("cold", "AAPL", "buy", "1").json());
        await().during(Duration.ofSeconds(2))
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(trader.order("cold").status()).isEqualTo("PENDING"));
        ecs.hosts(HOSTS);
        Instant room = Instant.now();
        PlacedOrder filled = Eventually.order(trader, "cold", "FILLED", TIMEOUT);
        LOG.warn(
                "filled {} ms after there is room",
                Duration.between(room, filled.finalAt()).toMillis());
        Worker worker = trader.worker();
        assertThat(worker.origin()).isEqualTo("COLD");
        assertThat(Processes.environment(worker.pid()))
                .containsEntry("BERTH_USER_ID", "cap-cold")
                .doesNotContainValue("paper-cap-cold");
        Eventually.fullPool(redis);
    }

    @Test
    @Tag("E14")
    @DisplayName("Fifteen waiting orders drain one at a time per user")
    void backlogDrainsOneOrderAtATime() throws Exception {
        List<Trader> traders = new ArrayList<>();
        for (String user : List.of("cap-a", "cap-b", "cap-c")) {
            Trader trader = stack.trader(user);
            traders.add(trader);
            for (int number = 1; number <= 5; number++) {
                String order =
                        OrderBody.market("w" + number, "AAPL", "buy", "1").json();
                assertThat(trader.submit(order).status()).isEqualTo(202);
            }
        }
        for (Trader trader : traders) {
            assertThat(trader.get("/v1/orders/w5").text("status")).isEqualTo("PENDING");
            assertThat(venue.arrivals(trader)).isEmpty();
        }
        venue.delay(150);
        ecs.hosts(HOSTS);
        for (Trader trader : traders) {
            List<Venue.Arrival> arrivals = Eventually.arrivals(venue, trader, 5);
            assertThat(arrivals)
                    .extracting(Venue.Arrival::clientOrderId)
                    .containsExactlyInAnyOrder("w1", "w2", "w3", "w4", "w5");
            for (int index = 1; index < arrivals.size(); index++) {
                assertThat(Duration.between(
                                arrivals.get(index - 1).time(),
                                arrivals.get(index).time()))
                        .isGreaterThanOrEqualTo(Duration.ofMillis(150));
            }
            for (int number = 1; number <= 5; number++) {
                Eventually.order(trader, "w" + number, "FILLED", TIMEOUT);
            }
        }
    }
}
