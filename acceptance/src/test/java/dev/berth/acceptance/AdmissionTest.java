package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.Rest.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ceilings, at a replica of the API that has low ones. */
@ExtendWith(OnTheStack.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int CEILING = 6;
    private static final int PER_USER = 4;

    private final Stack stack;
    private final Venue venue;
    private final RedisKeyspace redis;
    private Replica replica;

    AdmissionTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.redis = RedisKeyspace.of(stack);
    }

    @BeforeAll
    void low() throws Exception {
        replica = Replica.start(
                stack,
                Map.of(
                        "BERTH_ADMISSION_MAX_ACTIVE", Integer.toString(CEILING),
                        "BERTH_ADMISSION_MAX_ACTIVE_PER_USER", Integer.toString(PER_USER)));
    }

    /** Of earlier tests too: it would fill the ceilings. */
    @BeforeEach
    void cancelWhatWaits() throws Exception {
        Eventually.nothingWaits(stack);
    }

    @AfterAll
    void leave() throws Exception {
        venue.reset();
        replica.close();
        // It may have been told of the first steps of orders that the first one now carries on.
        stack.berth("up");
    }

    private Trader suspended(String user) throws Exception {
        Trader trader = stack.trader(user);
        Operator.of(stack).tell("/workers/" + user + ":suspend", "its orders shall wait");
        return replica.of(trader);
    }

    private static int submit(Trader trader, String id) throws Exception {
        return trader.submit(NewOrder.market(id, "AAPL", "buy", "1").json()).status();
    }

    @Test
    @DisplayName(
            "E9 over the ceiling: 429 with Retry-After and no work; an equal submit and reads pass; a cancel makes room;"
                    + " (E13) the metric says how full it is")
    void ceilings() throws Exception {
        Trader alice = suspended("full-alice");
        Trader bob = suspended("full-bob");
        for (int i = 0; i < PER_USER; i++) {
            assertThat(submit(alice, "o-" + i)).isEqualTo(202);
        }
        Answer own = alice.submit(NewOrder.market("own", "AAPL", "buy", "1").json());
        assertThat(own.status()).isEqualTo(429);
        assertThat(own.text("detail")).contains("Too many of your orders");
        assertThat(submit(bob, "o-0")).isEqualTo(202);
        assertThat(submit(bob, "o-1")).isEqualTo(202);
        Answer full = bob.submit(NewOrder.market("o-2", "AAPL", "buy", "1").json());
        assertThat(full.status()).isEqualTo(429);
        assertThat(full.text("type")).isEqualTo("urn:berth:problem:too-many-orders");
        assertThat(Integer.parseInt(
                        full.raw().headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(1, 60);
        assertThat(bob.get("/v1/orders/o-2").status()).isEqualTo(404);

        assertThat(submit(alice, "o-0")).isEqualTo(200);
        assertThat(alice.get("/v1/orders?limit=5").status()).isEqualTo(200);
        assertThat(alice.get("/v1/orders/o-1").status()).isEqualTo(200);
        assertThat(replica.api().call("GET", "/actuator/prometheus", null).raw().body())
                .contains("berth_orders_active 6.0")
                .contains("berth_orders_refused_total{reason=\"too-many-orders\"} 2.0");

        assertThat(alice.delete("/v1/orders/o-3").text("status")).isEqualTo("CANCELED");
        await().atMost(SOON).until(() -> submit(bob, "o-2") == 202);
        assertThat(redis.sorted("orders:active")).hasSize(CEILING);
    }

    @Test
    @DisplayName("E9 an order that rests at the venue does not count, nor does one that is refused")
    void answeredOrdersDoNotCount() throws Exception {
        Trader carol = replica.of(stack.trader("full-carol"));
        for (int i = 0; i < CEILING + 2; i++) {
            assertThat(carol.submit(NewOrder.limit("rests-" + i, "MSFT", "buy", "1", "90"), 30)
                            .text("status"))
                    .isEqualTo("NEW");
            await().atMost(SOON)
                    .until(() -> redis.sorted("orders:active:full-carol").isEmpty());
        }
        assertThat(submit(carol, "rests-0")).isEqualTo(409);
        assertThat(redis.sorted("orders:active:full-carol")).isEmpty();
    }

    @Test
    @DisplayName(
            "A9 E9 orders that were counted and never started, as when the API is killed between the two, are taken"
                    + " out, and no longer keep others out")
    void countedAndNeverStarted() throws Exception {
        Trader erin = suspended("full-erin");
        double before = takenOut();
        for (int i = 0; i < PER_USER; i++) {
            long longAgo = Instant.now().minusSeconds(60).toEpochMilli();
            redis.add("orders:active:full-erin", longAgo, "full-erin:ghost-" + i);
            redis.add("orders:active", longAgo, "full-erin:ghost-" + i);
        }
        await().atMost(SOON).until(() -> submit(erin, "waits") == 202);
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(redis.sorted("orders:active:full-erin")).containsExactly("full-erin:waits");
            assertThat(takenOut()).isEqualTo(before + PER_USER);
        });
    }

    /** By the replica and the first one together: whichever looked. */
    private double takenOut() throws Exception {
        String series = "berth_orders_active_corrections_total{what=\"taken-out\"}";
        return Metrics.sum(stack.api(), series) + Metrics.sum(replica.api(), series);
    }

    @Test
    @DisplayName("X6 Redis loses its data: orders that wait are counted again, and end as they should")
    void countedAgain() throws Exception {
        Trader dave = suspended("full-dave");
        assertThat(submit(dave, "waits")).isEqualTo(202);
        redis.forgetEverything();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> redis.sorted("orders:active:full-dave").contains("full-dave:waits"));
        Operator.of(stack).tell("/workers/full-dave:resume", "enough");
        Eventually.order(dave, "waits", "FILLED", Duration.ofSeconds(60));
        await().atMost(SOON).until(() -> redis.sorted("orders:active:full-dave").isEmpty());
    }
}
