package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis is there, and one host's way to it is cut. */
@Order(1)
@ExtendWith(OnTheStack.class)
class UnreachableRedisTest {
    /** 30 s until a mark is gone, or a cold start. */
    private static final Duration MARK_GONE = Duration.ofSeconds(45);

    private static final Duration SOON = Duration.ofSeconds(20);
    /** 30 s until the mark is gone, 60 s in which it may come back; then the next sweep finds it. */
    private static final Duration REPLACED = Duration.ofMinutes(4);

    private final Stack stack;
    private final Ecs ecs;
    private final RedisKeyspace redis;
    private final TemporalCli temporal;
    private Wire wire;
    private JsonNode usual;

    UnreachableRedisTest(Stack stack) {
        this.stack = stack;
        this.ecs = Ecs.of(stack);
        this.redis = RedisKeyspace.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    @BeforeEach
    void workersBehindAWire() throws Exception {
        wire = Wire.to(redis.port());
        usual = ecs.define("BERTH_REDIS_URI", "redis://127.0.0.1:" + wire.port());
        Eventually.renewedPool(stack);
    }

    @AfterEach
    void giveBack() throws Exception {
        wire.close();
        ecs.register(usual);
        Eventually.renewedPool(stack);
    }

    @Test
    @DisplayName("A9 E10 a worker that answers but can not reach Redis sends nothing, and is replaced by one that can;"
            + " the order that waits for it is filled once")
    void replaced() throws Exception {
        Trader trader = Eventually.trading(stack, "wire-cut");
        JsonNode cutOff = trader.worker();
        ecs.register(usual);
        wire.close();
        await().atMost(MARK_GONE)
                .until(() -> redis.get("worker:active:wire-cut").isEmpty());
        trader.submit(NewOrder.market("waits", "AAPL", "buy", "1")
                .within(Duration.ofMinutes(5))
                .json());

        await().atMost(REPLACED).pollInterval(Duration.ofSeconds(2)).until(() -> {
            temporal.schedule("trigger", "--schedule-id", "maintenance");
            return trader.worker().path("epoch").asLong() > cutOff.path("epoch").asLong();
        });
        JsonNode worker = Eventually.activeWorker(trader, cutOff.path("epoch").asLong() + 1, MARK_GONE);
        assertThat(worker.path("deaths").asInt()).isEqualTo(1);
        Eventually.ended(cutOff.path("pid").asLong(), SOON);
        JsonNode filled = Eventually.order(trader, "waits", "FILLED", SOON);
        assertThat(filled.path("submittedAt").asText())
                .isLessThan(worker.path("since").asText());
        assertThat(Venue.of(stack).arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "waits");
    }
}
