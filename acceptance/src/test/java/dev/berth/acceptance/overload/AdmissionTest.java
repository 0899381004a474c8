package dev.berth.acceptance.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.PrometheusMetrics;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Admission at a replica of the API with low ceilings. */
@ExtendWith(StackExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int CEILING = 6;
    private static final String REFUSED = "berth_orders_refused_total{reason=\"too-many-orders\"}";
    private static final int PER_USER = 4;

    private final Stack stack;
    private final Venue venue;
    private final RedisKeyspace redis;
    private ApiReplica replica;

    AdmissionTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.redis = RedisKeyspace.of(stack);
    }

    @BeforeAll
    void startReplica() throws Exception {
        replica = ApiReplica.start(
                stack,
                Map.of(
                        "BERTH_ADMISSION_MAX_ACTIVE", Integer.toString(CEILING),
                        "BERTH_ADMISSION_MAX_ACTIVE_PER_USER", Integer.toString(PER_USER)));
    }

    /** Waiting orders of earlier tests would fill the ceilings. */
    @BeforeEach
    void cancelWaitingOrders() throws Exception {
        Eventually.noActiveOrders(stack);
    }

    @AfterAll
    void stopReplica() throws Exception {
        venue.reset();
        replica.close();
        // The remaining replica may hold stale caches of order workflows that the closed one began.
        stack.berth("up");
    }

    private Trader suspended(String user) throws Exception {
        Trader trader = stack.trader(user);
        FleetOperator.of(stack).tell("/workers/" + user + ":suspend", "keep its orders waiting");
        return replica.of(trader);
    }

    private static int submit(Trader trader, String id) throws Exception {
        return trader.submit(OrderBody.market(id, "AAPL", "buy", "1").json()).status();
    }

    @Test
    @Tag("E9")
    @Tag("E13")
    @DisplayName("Above the ceiling an order gets 429 and starts nothing, while equal submits and reads pass")
    void ordersAboveCeilingAreRefusedWithoutWork() throws Exception {
        // The venue holds the first order of each user; the others wait for the worker.
        venue.hold();
        double refusedBefore = PrometheusMetrics.sum(replica.api(), REFUSED);
        Trader alice = replica.of(stack.trader("full-alice"));
        Trader bob = replica.of(stack.trader("full-bob"));
        for (int i = 0; i < PER_USER; i++) {
            assertThat(submit(alice, "o-" + i)).isEqualTo(202);
        }
        JsonResponse own =
                alice.submit(OrderBody.market("own", "AAPL", "buy", "1").json());
        assertThat(own.status()).isEqualTo(429);
        assertThat(own.text("detail")).contains("Too many of your orders");
        assertThat(submit(bob, "o-0")).isEqualTo(202);
        assertThat(submit(bob, "o-1")).isEqualTo(202);
        JsonResponse full =
                bob.submit(OrderBody.market("o-2", "AAPL", "buy", "1").json());
        assertThat(full.status()).isEqualTo(429);
        assertThat(full.text("type")).isEqualTo("urn:berth:problem:too-many-orders");
        assertThat(Integer.parseInt(
                        full.raw().headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(1, 60);
        assertThat(bob.get("/v1/orders/o-2").status()).isEqualTo(404);

        assertThat(submit(alice, "o-0")).isEqualTo(200);
        assertThat(alice.get("/v1/orders?limit=5").status()).isEqualTo(200);
        assertThat(alice.get("/v1/orders/o-1").status()).isEqualTo(200);
        await().atMost(Duration.ofSeconds(40))
                .until(() -> PrometheusMetrics.sum(replica.api(), "berth_orders_active ") == 6);
        assertThat(PrometheusMetrics.sum(replica.api(), REFUSED) - refusedBefore)
                .isEqualTo(2);

        Eventually.canceled(alice, "o-3", TIMEOUT);
        await().atMost(TIMEOUT).until(() -> submit(bob, "o-2") == 202);
        assertThat(redis.sorted("orders:active")).hasSize(CEILING);
        venue.reset();
    }

    @Test
    @Tag("E9")
    @DisplayName("An order with the venue's answer, resting or refused, does not count as active")
    void answeredOrdersDoNotCount() throws Exception {
        Trader carol = replica.of(stack.trader("full-carol"));
        for (int i = 0; i < CEILING + 2; i++) {
            assertThat(carol.submit(OrderBody.limit("rests-" + i, "MSFT", "buy", "1", "90"), 30)
                            .text("status"))
                    .isEqualTo("NEW");
            await().atMost(TIMEOUT)
                    .until(() -> redis.sorted("orders:active:full-carol").isEmpty());
        }
        assertThat(submit(carol, "rests-0")).isEqualTo(409);
        assertThat(redis.sorted("orders:active:full-carol")).isEmpty();
    }

    @Test
    @Tag("A9")
    @Tag("E9")
    @DisplayName("Counted orders whose workflow never started are removed from the count")
    void orphanedCountsAreRemoved() throws Exception {
        Trader erin = suspended("full-erin");
        double before = removedCounts();
        for (int i = 0; i < PER_USER; i++) {
            long aMinuteAgo = Instant.now().minusSeconds(60).toEpochMilli();
            redis.add("orders:active:full-erin", aMinuteAgo, "full-erin:ghost-" + i);
            redis.add("orders:active", aMinuteAgo, "full-erin:ghost-" + i);
        }
        await().atMost(TIMEOUT).until(() -> submit(erin, "waits") == 202);
        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(redis.sorted("orders:active:full-erin")).containsExactly("full-erin:waits");
            assertThat(removedCounts()).isEqualTo(before + PER_USER);
        });
    }

    /** The sum over both API processes, since either may correct the count. */
    private double removedCounts() throws Exception {
        String series = "berth_orders_active_corrections_total{what=\"taken-out\"}";
        return PrometheusMetrics.sum(stack.api(), series) + PrometheusMetrics.sum(replica.api(), series);
    }

    @Test
    @Tag("X6")
    @DisplayName("After Redis loses its data, waiting orders are counted again and end as usual")
    void waitingOrdersAreCountedAfterRedisLoss() throws Exception {
        Trader dave = suspended("full-dave");
        assertThat(submit(dave, "waits")).isEqualTo(202);
        redis.forgetEverything();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> redis.sorted("orders:active:full-dave").contains("full-dave:waits"));
        FleetOperator.of(stack).tell("/workers/full-dave:resume", "the test continues");
        Eventually.order(dave, "waits", "FILLED", Duration.ofSeconds(60));
        await().atMost(TIMEOUT)
                .until(() -> redis.sorted("orders:active:full-dave").isEmpty());
    }
}
